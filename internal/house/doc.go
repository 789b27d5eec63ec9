// Package house holds no code: its tests keep the structure of the module, who
// may import whom, and the habits that a machine can check.
package house

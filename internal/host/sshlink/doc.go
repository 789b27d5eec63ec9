// Package sshlink reaches machines over SSH: it finds out how (ssh_config, jump
// hosts, keys, the agent), proves that the machine is the one that known_hosts
// knows, keeps watch over the connection, and runs commands on it.
//
// Every step has a limit of its own: the connection, the handshake, the opening
// of a session, a command as a whole or the silence of one that moves data. A
// machine that stops answering is noticed by the keepalive, which ends whatever
// waits for it.
//
// Host keys are always verified. StrictHostKeyChecking of ssh_config is not
// heeded: there is no way to switch the check off.
package sshlink

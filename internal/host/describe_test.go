package host

import "testing"

func TestDescribe(t *testing.T) {
	for text, want := range map[string]Description{
		"6.1.0-25-amd64\n8\n16384000\nDebian GNU/Linux 12 (bookworm)\nprocessor\t: 0\nmodel name\t: Some CPU\n": {
			System: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0-25-amd64", Cores: 8, Memory: 16384000 << 10, CPUInfo: "processor\t: 0\nmodel name\t: Some CPU\n",
		},
		"5.10\n\n\n\n":     {Kernel: "5.10"},
		"5.10\nmany\n-1\n": {Kernel: "5.10"},
		"":                 {},
	} {
		if got := describe(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

package host

import "testing"

func TestParseSpace(t *testing.T) {
	const head = "Filesystem     1024-blocks  Used Available Capacity Mounted on\n"
	for text, want := range map[string]int64{
		head + "/dev/vda        1024   1000        24      98% /data\n":   24 << 10,
		head + "//nas/my disk   1024   1024         0     100% /mnt/x\n":  0,
		head + "tmpfs           1024   1000        -3     101% /a 5% b\n": -3 << 10,
	} {
		if got, err := parseSpace(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", head, head + "none - - - - /x\n", head + "50% /x\n"} {
		if got, err := parseSpace(text); err == nil {
			t.Errorf("%q: got %d", text, got)
		}
	}
}

// Package host runs programs on a machine and reads and writes its files. Every
// program runs under a guard, which sees to it that nothing outlives us.
//
// # The guard
//
// A guard is two processes of our own binary, the outer and the inner one, each
// in a process group of its own, and the program in a third:
//
//	kvscen ── outer ── inner ── program ── what it starts
//
// kvscen holds a pipe to the outer guard (the lifeline), the outer one holds a
// pipe to the inner one. A pipe ends with the process that holds it, however it
// ends, so each link notices the loss of the one above it:
//
//   - kvscen closes its lifeline, or is killed: the guards stop the program's
//     group in order: its stop signal, its grace, then SIGKILL.
//   - the outer guard is killed: the inner one does the same.
//   - the inner guard is killed: the kernel kills the program (PDEATHSIG), and
//     the outer guard, to which all that was below falls (it is a subreaper),
//     kills the rest.
//   - both guards are killed at once: the kernel kills the program, and kvscen
//     kills the rest of its group.
//   - all three at once: the kernel kills the program. What the program itself
//     had started is then beyond our reach, unless it ends with the program.
//
// Processes that leave the group (setsid, double fork) are found too: the guards
// are subreapers, and end only when the kernel says that no child is left.
//
// On other machines the session of SSH stands for the pipe of kvscen, see Remote.
//
// All this is Linux. Elsewhere there is neither PDEATHSIG nor a subreaper: the
// program's group is killed in the first two cases; a program whose inner guard
// is killed is told by the end of its standard input alone, which is a pipe that
// the inner guard holds (embedded members heed it), and by kvscen, where that
// is alive; what left the group is not found.
//
// The terminal's Ctrl-C reaches none of them: the outer guard has a session of
// its own, so that kvscen stops its members in its own order.
//
// # Protocol
//
// The guard is called as
//
//	kvscen guard [--signal TERM] [--grace 5s] [--lifeline 3] [--status 4] [--heartbeat 0s] -- ARGV...
//
// --lifeline and --status are numbers of inherited file descriptors. What is
// read from the lifeline has no meaning but that somebody is there: its end
// means stop, and with --heartbeat so does a silence of that length. SIGTERM,
// SIGINT and SIGHUP to a guard mean stop, too; SIGQUIT means at once, without
// grace. On the status descriptor the guard writes lines:
//
//	pid N         the program runs
//	exit CODE     it has ended by itself or when it was asked to
//	signal NAME   a signal ended it
//	error TEXT    it could not be started, or its guard was killed
//
// One of the last three is the last line that counts; the descriptor's end means
// that both guards are gone.
package host

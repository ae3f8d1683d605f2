# Sourced by hook.sh when the daemon says "wait": a person may answer from elsewhere while the dialog in the terminal is open.
# One sleeping shell, no fork while the daemon is there. Prints a whole decision or nothing. The reasons are in docs/hooks.md.
claude=${CLAUDE_PID:-$PPID}
file=$home/spool/PermissionWait.$id
. "${0%/*}/listen.sh"

# The terminal said no, or the session ends: the file tells it even to a daemon that is not there at the moment.
trap ': >"$home/spool/PermissionDismissed.$id"; exit 0' TERM
trap '[ -e "$file" ] && rm -f "$file"; exit 0' EXIT

wait_for_answer() { # fails when there is no daemon, too
  local port
  read -r port <"$home/run/bell" || return 1
  printf '%s\n' "$claude" >"$file" && listen "PermissionWait.$id" 3<>"/dev/tcp/127.0.0.1/$port"
}

# The decision stands there whole before the bell is rung. The length is not asked for: a read whose time was up in the middle
# of it has taken its first digits away.
answered() {
  local reply
  IFS= read -r -d '' reply <"$home/reply/$id"
  printf '%s' "$reply"
  return 0
}

while kill -0 "$claude"; do
  wait_for_answer && break
  sleep 1 >/dev/null # which outlives us by a moment: it must not hold claude's pipe
done

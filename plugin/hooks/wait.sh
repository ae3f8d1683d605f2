# Sourced by hook.sh when the daemon answers "wait": a person may answer elsewhere while the dialog in the terminal is open.
# One sleeping shell, no fork while the daemon runs. Prints a complete decision or nothing. The reasons are in docs/hooks.md.
claude=${CLAUDE_PID:-$PPID}
file=$home/spool/PermissionWait.$id
. "${0%/*}/listen.sh"

# Denied in the terminal, or the session ends: a file records it, so that a daemon that is down reads it later.
trap ': >"$home/spool/PermissionDismissed.$id"; exit 0' TERM
trap '[ -e "$file" ] && rm -f "$file"; exit 0' EXIT

wait_for_answer() { # also fails if there is no daemon
  local port
  read -r port <"$home/run/bell" || return 1
  printf '%s\n' "$claude" >"$file" && listen "PermissionWait.$id" 3<>"/dev/tcp/127.0.0.1/$port"
}

# The daemon writes the complete decision before it rings. The length is not used: a read that timed out in the middle of it
# has already consumed its first digits.
answered() {
  local reply
  IFS= read -r -d '' reply <"$home/reply/$id"
  printf '%s' "$reply"
  return 0
}

while kill -0 "$claude"; do
  wait_for_answer && break
  sleep 1 >/dev/null # it may outlive this script and must not keep claude's pipe open
done

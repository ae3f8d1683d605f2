# Sourced by hook.sh when the daemon says "wait": a person may answer from elsewhere while the dialog in the terminal is open.
# One sleeping shell, no fork while the daemon is there. Prints a whole decision or nothing. The reasons are in docs/hooks.md.
claude=${CLAUDE_PID:-$PPID}
file=$home/spool/PermissionWait.$id

# The terminal said no, or the session ends: the file tells it even to a daemon that is not there at the moment.
trap ': >"$home/spool/PermissionDismissed.$id"; exit 0' TERM
trap '[ -e "$file" ] && rm -f "$file"; exit 0' EXIT

# Fails when there is no daemon, when it hung up, and when a stranger sits on its port: only the daemon takes the file away.
wait_for_answer() {
  local port
  read -r port <"$home/run/bell" || return 1
  printf '%s\n' "$claude" >"$file" && listen 3<>"/dev/tcp/127.0.0.1/$port"
}

listen() {
  local length reply
  printf 'PermissionWait.%s\n' "$id" >&3 || return 1
  while kill -0 "$claude"; do
    SECONDS=0
    read -r -t 3 -n 9 length <&3
    case $? in
      0)
        [ -e "$file" ] && return 1
        [ "$length" -gt 0 ] && IFS= read -r -d '' reply <"$home/reply/$id"
        [ ${#reply} -eq "$length" ] && printf '%s' "$reply"
        return 0
        ;;
      1) [ $SECONDS -ge 3 ] || return 1 ;; # hung up; but bash 3.2 returns 1 for a time-out, too
    esac
    [ -e "$file" ] && return 1
  done
  return 0 # claude is gone
}

while kill -0 "$claude"; do
  wait_for_answer && break
  sleep 1 >/dev/null # which outlives us by a moment: it must not hold claude's pipe
done

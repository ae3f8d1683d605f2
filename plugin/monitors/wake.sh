#!/usr/bin/env bash
# Started by Claude Code once per interactive session; every line printed here wakes the session.
# Waits on the daemon's bell like a hook (files carry the words, the socket only rings) and ends with claude.
exec 2>/dev/null
trap '' PIPE
set +eu # an exported SHELLOPTS would switch them on
umask 077
home=${ROOKERY_HOME:-~/.rookery}
claude=${CLAUDE_PID:-$PPID}
[ -n "$ROOKERY_OFF" ] && exit 0

# Fails when there is no daemon, when it hung up, and when a stranger sits on its port: only the daemon
# takes the file away, and only its answer has words in reply/.
wait_for_bell() {
  local port status
  id=.$$.$RANDOM$RANDOM$RANDOM
  read -r port <"$home/run/bell" || return 1
  file=$home/spool/Monitor.$id
  printf '%s\n{"session_id":"%s"}' "$claude" "$CLAUDE_CODE_SESSION_ID" >"$file" &&
    listen 3<>"/dev/tcp/127.0.0.1/$port"
  status=$?
  forget_file
  return $status
}

listen() {
  local length line
  printf 'Monitor.%s\n' "$id" >&3 || return 1
  while kill -0 "$claude"; do
    SECONDS=0
    read -r -t 3 -n 9 length <&3
    case $? in
      0) IFS= read -r line <"$home/reply/$id" && printf '%s\n' "$line"; return ;;
      1) [ $SECONDS -ge 3 ] || return 1 ;; # hung up; but bash 3.2 returns 1 for a time-out, too
    esac
    [ -e "$file" ] && return 1
  done
  return 0 # claude is gone
}

forget_file() { [ -e "$file" ] && rm -f "$file"; }
trap forget_file EXIT

while kill -0 "$claude"; do
  wait_for_bell || sleep 2 >/dev/null # which outlives us by a moment: it must not hold claude's pipe
done

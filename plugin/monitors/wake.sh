#!/bin/bash -p
# Started by Claude Code once per interactive session; every line printed here wakes the session.
# Waits on the daemon's bell like a hook (files carry the text, the socket only rings) and ends with claude.
# -p ignores BASH_ENV and exported functions: a line printed by the user's own would wake the session.
exec 2>/dev/null
trap '' PIPE
set +eu # started as `bash wake.sh`, an exported SHELLOPTS would switch them on
umask 077
home=${ROOKERY_HOME:-~/.rookery}
claude=${CLAUDE_PID:-$PPID}
[ -n "$ROOKERY_OFF" ] && exit 0
. "${0%/*}/../hooks/listen.sh"

wait_for_bell() { # fails when there is no daemon, too
  local port status
  id=.$$.$RANDOM$RANDOM$RANDOM
  read -r port <"$home/run/bell" || return 1
  file=$home/spool/Monitor.$id
  printf '%s\n{"session_id":"%s"}' "$claude" "$CLAUDE_CODE_SESSION_ID" >"$file" &&
    listen "Monitor.$id" 3<>"/dev/tcp/127.0.0.1/$port"
  status=$?
  forget_file
  return $status
}

answered() { # only the daemon's answer has words in reply/
  local line
  IFS= read -r line <"$home/reply/$id" && printf '%s\n' "$line"
}

forget_file() { [ -e "$file" ] && rm -f "$file"; }
trap forget_file EXIT

while kill -0 "$claude"; do
  wait_for_bell || sleep 2 >/dev/null # which outlives us by a moment: it must not hold claude's pipe
done

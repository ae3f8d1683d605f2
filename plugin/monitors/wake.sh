#!/bin/bash -p
# Claude Code starts this once per interactive session; every line it prints wakes the session.
# Waits on the daemon's bell like a hook (text is passed in files, the socket only signals) and ends with claude.
# -p ignores BASH_ENV and exported functions, whose output would wake the session.
exec 2>/dev/null
trap '' PIPE
set +eu # if started as `bash wake.sh`, an exported SHELLOPTS would turn them on
umask 077
home=${ROOKERY_HOME:-~/.rookery}
claude=${CLAUDE_PID:-$PPID}
[ -n "$ROOKERY_OFF" ] && exit 0
. "${0%/*}/../hooks/listen.sh"

wait_for_bell() { # also fails if there is no daemon
  local port status
  id=.$$.$RANDOM$RANDOM$RANDOM
  read -r port <"$home/run/bell" || return 1
  file=$home/spool/Monitor.$id
  printf '%s\n{"session_id":"%s"}' "$claude" "$CLAUDE_CODE_SESSION_ID" >"$file" &&
    listen "Monitor.$id" 3<>"/dev/tcp/127.0.0.1/$port"
  status=$?
  remove_file
  return $status
}

answered() { # only the daemon writes into reply/
  local line
  IFS= read -r line <"$home/reply/$id" && printf '%s\n' "$line"
}

remove_file() { [ -e "$file" ] && rm -f "$file"; }
trap remove_file EXIT

while kill -0 "$claude"; do
  wait_for_bell || sleep 2 >/dev/null # it may outlive this script and must not keep claude's pipe open
done

# Sourced by wait.sh and monitors/wake.sh, which wait on the daemon's bell.
# listen NAME 3<>BELL: sends NAME, whose spool file is $file, waits for the daemon's signal and calls `answered`.
# Fails if the daemon closes the connection or if another process answers: only the daemon removes the file. Ends when $claude exits.
listen() {
  local ring
  printf '%s\n' "$1" >&3 || return 1
  while kill -0 "$claude"; do
    SECONDS=0
    read -r -t 3 -n 9 ring <&3
    case $? in
      0) [ -e "$file" ] && return 1; answered; return ;;
      1) [ $SECONDS -ge 3 ] || return 1 ;; # connection closed; bash 3.2 also returns 1 for a timeout
    esac
    [ -e "$file" ] && return 1
  done
  return 0 # claude has exited
}

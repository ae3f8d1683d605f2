# Sourced by those who sleep on the daemon's bell until there is something for them: wait.sh and monitors/wake.sh.
# listen NAME 3<>BELL: rings as NAME, whose spool file is $file, and calls `answered` before it hangs up.
# Fails when the daemon hung up, and when a stranger sits on its port: only the daemon takes the file away. Ends with $claude.
listen() {
  local ring
  printf '%s\n' "$1" >&3 || return 1
  while kill -0 "$claude"; do
    SECONDS=0
    read -r -t 3 -n 9 ring <&3
    case $? in
      0) [ -e "$file" ] && return 1; answered; return ;;
      1) [ $SECONDS -ge 3 ] || return 1 ;; # hung up; but bash 3.2 returns 1 for a time-out, too
    esac
    [ -e "$file" ] && return 1
  done
  return 0 # claude is gone
}

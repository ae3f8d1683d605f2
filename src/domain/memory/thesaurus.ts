/** General software vocabulary: words of one line are used for the same thing. A word may be in several lines. */
const groups = `
login signin logon authenticate authentication authorize authorization auth oauth sso
logout signout
password passphrase credential credentials secret
token key apikey
user account member person people
permission permissions privilege access acl rights role forbidden denied eperm eacces
crash crashes panic segfault abort
error failure fail fails failing failed exception fault broken breaks break wrong
bug defect issue problem regression flaw
cause reason culprit rootcause source origin
fix repair resolve resolved solve solved correct corrected correction patch patched remedy
delete remove removed drop dropped erase discard discarded purge prune clear cleanup unlink wipe
create add added new introduce make generate
change modify edit alter update adjust rework
rename move moved relocate mv
copy duplicate clone replicate
undo revert rollback restore reset rewind
keep preserve retain persist save saved store stored
slow sluggish latency lag delay delayed slowness
fast faster quick quickly performance perf speed optimize optimise optimization efficient
hang hangs stuck freeze frozen block blocked deadlock wait waiting
timeout deadline expire expires expired expiry ttl
spinner loading loader busy progress
retry retries again repeat attempt backoff
start begin launch boot startup init initialize initialise open run
stop end finish terminate kill quit exit shutdown close closed
background daemon async asynchronous detached worker
process subprocess child spawn fork exec
concurrent concurrency parallel simultaneous simultaneously race
lock mutex claim exclusive semaphore
memory ram heap leak oom
disk storage filesystem drive volume mount mounted
folder directory dir path
file document
network connection socket http request
offline unreachable disconnected firewall
server backend api service endpoint
client frontend browser web website site page
url link address uri href
redirect callback forward
download fetch get pull retrieve
upload push send publish submit
deploy deployment release ship rollout publish
version release tag number
upgrade update bump migrate
migration migrate convert conversion
install setup installer installation
configure configuration config setting settings option options preference preferences
default fallback preset
flag option switch argument parameter param
environment env variable
enable activate
disable deactivate suppress silence mute optout
hide hidden invisible conceal
show display shown visible present render print output
skip ignore ignored omit exclude excluded leave left
allow permit enable accept
deny reject refuse refused block forbid prohibit disallow
require need must mandatory required
check verify validate validation assert ensure confirm
test tests spec testing unittest
e2e integration playwright cypress acceptance
mock fake stub dummy simulate simulated double
log logs logging trace output
debug diagnose investigate inspect troubleshoot
metric metrics telemetry analytics tracking statistics usage
monitor monitoring observability dashboard
notify notification notice alert warn warning message reminder
comment review feedback
reviewer review
commit commits checkin
branch branches worktree
merge merged squash rebase
conflict conflicts clash collision collide
pr pullrequest mr
repository repo project codebase
git vcs
ci pipeline workflow actions checks
build compile compilation bundle
dependency dependencies library package module lib
plugin extension addon
hook hooks trigger callback
command cli terminal shell console
prompt question ask
answer reply response
confirm confirmation consent approve approval yes
session conversation chat transcript dialogue thread
summary summarize summarise overview digest recap
history log timeline past
checkpoint snapshot savepoint
agent assistant bot claude codex gemini
model llm ai
cache cached caching memoize
stale outdated obsolete old expired orphaned
duplicate redundant repeated twice duplication
unused dead unnecessary needless
simplify simplified simple refactor restructure cleanup
merge unify consolidate combine combined join together single
split divide divided separate break apart
group category categorize bucket classify section grouped
list listing array enumerate
number count amount total
limit cap maximum max threshold
minimum min least
size length width height
margin padding gap whitespace spacing inset
border frame outline edge
color colour colors palette theme shade gradient
font glyph icon symbol logo
image picture screenshot svg png photo
button toggle switch control
dialog modal popup window overlay
panel sidebar pane column
table grid row
header heading title top
footer bottom
layout arrangement alignment align position
style css styling look appearance
text string label wording copy
encrypt encryption encrypted cipher crypto cryptographic
decrypt decryption
sign signature signed signing
certificate cert tls ssl https
mask redact redacted redaction sanitize scrub censor hide
leak leakage expose exposure disclose
vulnerability exploit injection attack malicious security untrusted
escape sanitize quote
database db sql postgres postgresql mysql sqlite
query lookup search find
index indexing
schema structure format shape
field column attribute property entry
record row entry
id identifier uuid
name naming called title
type kind sort category
json yaml toml
parse parser parsing read decode
serialize encode marshal write
function method routine procedure
class struct object type
interface contract
variable constant const
pointer reference ref
null nil undefined none empty missing absent
empty blank nothing missing
unknown undefined unrecognized unrecognised
signal event message
queue backlog
todo backlog pending open outstanding remaining
plan roadmap design proposal strategy
decide decision chose chosen choice pick picked select selected choose
reject rejected discarded declined
alternative option instead other
tradeoff downside drawback disadvantage con cons
advantage benefit pro upside
documentation docs readme guide manual doc
example sample demo
language locale translation i18n
mac macos osx darwin apple
windows win32 win powershell
linux unix posix ubuntu debian
desktop electron app application
mobile ios android phone
docker container image
kubernetes k8s cluster
staging preprod
production prod live
local localhost machine
remote upstream origin
email mail smtp
otp code mfa 2fa totp factor
wallet ethereum
share sharing shared invite invitation
private secret hidden confidential
public open published
cost price expensive cheap billing pricing
token tokens budget
score grade rating rank
estimate guess approximate heuristic
average mean median
first initial original
last final latest newest recent
before previous earlier prior preceding
after later next following subsequent
automatic automatically auto automated
manual manually hand
temporary temp tmp ephemeral transient scratch
permanent durable lasting
global system machine
nested recursive tree subfolder
flat plain
wrong incorrect inaccurate mistaken bad
ugly terrible messy
silent silently quiet swallow swallowed
mismatch inconsistent inconsistency differ different difference diff discrepancy
same identical equal equivalent
match matching matches
sync synchronize synchronise replicate
import importing ingest load
export exporting dump
attach link associate association linked
detach unlink
author committer owner creator
attribution attributed credit
damaged corrupt corrupted broken
signing notarize notarization codesign
keyboard shortcut keybinding hotkey key
cursor caret
mouse click tap
drag drop
scroll scrolling
resize scale
animation transition
visible visibility
hover focus
accessibility a11y
compare comparison diff versus
fallback backup default
lost lose missing disappear disappeared vanish vanished gone loss
appear show emerge
overwrite overwritten clobber replace replaced
replace swap substitute
wrap wrapper decorate
call invoke invoked execute run
return give yield result
result outcome output
input stdin argument
stdout stderr output
pipe stream
buffer chunk batch
schedule cron periodic interval timer
weekday day date time timestamp
timezone utc clock
random entropy nonce
hash digest checksum sha
compress zip gzip archive
unit component part piece
architecture design structure
convention rule guideline standard policy
lint linter linting eslint golangci
formatting format formatter prettier gofmt
typo misspelling spelling
rate throttle ratelimit quota
load traffic
scale scaling
crypto key keys keypair
`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

/** Finds words that are used for the same thing, whatever their inflection. */
export type Thesaurus = (stem: string) => readonly string[];

const none: readonly string[] = [];

/** `stem`: stems many words at once. The thesaurus takes and gives stems. */
export function makeThesaurus(stem: (words: readonly string[]) => string[]): Thesaurus {
  const entries = new Map<string, Set<string>>();
  for (const words of groups) {
    const stems = new Set(stem(words));
    for (const one of stems) {
      const known = entries.get(one) ?? new Set();
      for (const other of stems) if (other !== one) known.add(other);
      entries.set(one, known);
    }
  }
  const lists = new Map([...entries].map(([one, others]) => [one, [...others]]));
  return (one) => lists.get(one) ?? none;
}

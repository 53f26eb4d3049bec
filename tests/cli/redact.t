#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A bundle for outside: no name that was planted is left in any file of it, all numbers are as they were,
# and what the name of a thing was can't be found out, but equal things are seen to be equal.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd pdftotext pdfdetach qpdf sha256sum
plan_later

# campaign TITLE DIR [TARGET]: simulated storage, so that it takes no time.
campaign() {
	cat >small.json <<EOF
{ "iowitness": 1, "title": "$1", "targets": { "${3:-one}": { "driver": "synth", "size": "1GiB" }, "two": { "driver": "synth", "size": "1GiB", "ratio": 0.5 } },
  "workloads": { "scan": { "op": "read", "pattern": "random", "block": "4KiB", "amount": "256KiB" } },
  "tests": [ { "name": "reads", "targets": [ "${3:-one}", "two" ], "workloads": [ "scan" ], "cache": "as-is", "blocks": 5, "pause": "0s" } ],
  "questions": [ { "compare": { "target": "two" }, "against": { "target": "${3:-one}" } } ] }
EOF
	"$IOW" run small.json --no-report -o "$2" >out 2>&1 || diag "$(cat out)"
}

# ---- a campaign whose plan names everything that a plan can name

dir="$T/Kunde Ωmega/srv-berta"
mkdir -p "$dir" "$T/.ssh-berta"
cat >plan.json <<EOF
{ "iowitness": 1, "title": "web01.acme-corp.example: Speicher von 東京 langsam",
  "about": "Store of WEB01, see /net/geheim/akte.txt",
  "params": { "dir": "$dir", "suffix": "zzwort77", "scan": "scan" },
  "report": { "issuer": "Labor an web01", "case": "call 10.20.30.41 or mail herta@acme-corp.example", "authorised_by": "herta" },
  "nodes": { "tresor42": { "driver": "remote-node", "via": "command", "command": ["sh", "-c", "exec {agent}"], "program": "$IOW",
    "host": "tresor42.acme-corp.example", "user": "oraherta", "port": 2222, "identity": "$T/.ssh-berta/id_gruft", "jump": "herta@pforte77.acme-corp.example:2022" } },
  "targets": {
    "file of web01": { "driver": "posix", "path": "\${dir}/konto-\${suffix}.dat", "size": "1MiB" },
    "/gruft/東京/b": { "driver": "posix", "path": "\${dir}/東京.dat", "size": "1MiB", "node": "tresor42" } },
  "workloads": { "scan": { "op": "read", "pattern": "random", "block": "4KiB", "amount": "64KiB" } },
  "tests": [ { "name": "reads", "targets": [ "file of web01", "/gruft/東京/b" ], "workloads": [ "scan" ],
               "cache": "as-is", "region": "same", "blocks": 5 } ],
  "questions": [ { "compare": { "target": "/gruft/東京/b" }, "against": { "target": "file of web01" } } ],
  "claims": [ { "says": "tresor42 is as fast as web01", "by": "Vertrieb, herta@acme-corp.example", "metric": "throughput",
    "compare": { "target": "/gruft/東京/b" }, "against": { "target": "file of web01" }, "at_least": 0.5 } ] }
EOF
"$IOW" run plan.json --allow-commands --no-report -o "$T/a.iow" >"$T/out" 2>&1 || diag "$(cat "$T/out")"

# seal DIR: EVIDENCE over what was planted.
seal() {
	(cd "$1" && { echo '# iowitness-evidence 1'; sha256sum plan.json cells.json host.json runs.jsonl samples.jsonl log.txt; } >EVIDENCE.new &&
		mv EVIDENCE.new EVIDENCE && rm -f MANIFEST results.json report.*)
}

# What a test machine does not have: serials, mounts of other hosts, a driver's own facts.
plant() {
	sed -i -e 's|"host_name": "[^"]*"|"host_name": "web01.acme-corp.example", "machine_id": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"|' \
		-e 's|"serial": "[^"]*"|"serial": "S64DNX0R123456, 9900112233"|' \
		-e 's|"mount_source": "[^"]*"|"mount_source": "nas03.acme-corp.example:/export/geheim", "bucket": "tresor-eimer", "nested": {"deep": [{"path": "/net/geheim/tief.dat"}]}|' \
		-e 's|"mount_options": "[^"]*"|"mount_options": "rw,vers=4.2,proto=tcp,addr=10.20.30.40,username=herta,workgroup=KELLER"|' \
		-e 's|"stable_id": "[^"]*"|"stable_id": "wwn-0x5002538f4132abcd-part2"|' \
		-e 's|"command_line": "[^"]*"|"command_line": "BOOT_IMAGE=/boot/vmlinuz-6.1 root=UUID=6f1d2c3b-4a59-4687-9786-a5b4c3d2e1f0 rd.luks.name=krypta systemd.hostname=web01 mitigations=off isolcpus=1-3"|' \
		-e 's|"adapters": "[^"]*"|"adapters": ["NVMe: disk of web01, 52:54:00:AB:CD:EF, fe80::5054:ff:feab:cdef, /dev/disk/by-id/nvme-Gruftmann_SSD_S64DNX0R123456, C:\\\\Users\\\\berthold\\\\grabstein.vhdx, s3://tresor-eimer.s3.acme-corp.example/grabstein"]|' \
		-e 's|"campaign": 1,|"campaign": 1, "lost": [{"node": "tresor42", "why": "gone from web01", "files": ["/net/geheim/rest 1.dat"]}],|' \
		"$1/host.json"
	{
		echo '2026-12-01T00:00:00.000Z WEB01 said: cannot open /net/geheim/datei eins.dat: No such file; peer [2001:db8::42]:8443, 10.20.30.40:2049'
		echo '2026-12-01T00:00:01.000Z nqn.2014-08.example.acme-corp:uuid:gruft99 naa.600508b400105e210000900000490000 tresor42disk //nas03/geheim ~/schatz.txt "rate":0.0 12.5 MB/s read/write at /tests/0/blocks'
	} >>"$1/log.txt"
	sed -i '3s|"status":"ok"|"status":"failed","why":"/net/geheim/konto-zzwort77.dat on nas03: read failed (host web01, serial s64dnx0r123456)"|' "$1/runs.jsonl"
	seal "$1"
}
plant a.iow
ok 'the planted bundle is sound' "$IOW" verify a.iow
# Of 5 bytes at least: fewer stand in a compressed stream or a font by chance.
cat >secrets <<'EOF'
web01
acme-corp
tresor42
tresor-eimer
Kunde Ωmega
Ωmega
srv-berta
ssh-berta
id_gruft
gruft
東京
konto
zzwort77
oraherta
herta
pforte77
2222
2022
geheim
akte.txt
datei eins
rest 1
S64DNX0R123456
9900112233
10.20.30.4
KELLER
5002538f4132abcd
6f1d2c3b
krypta
52:54:00
fe80::
Gruftmann
berthold
grabstein
2001:db8
gruft99
600508b400105e
nas03
schatz
0f1e2d3c4b5a
tief.dat
iowitness-test
EOF

# found DIR: secrets that stand in a file of the bundle, in the PDF's text, attachments or metadata.
found() {
	rm -rf "$T/look"; [ -n "${KEEP:-}" ] && cp -r "$1" "$KEEP/"
	mkdir -p "$T/look/attached"
	cp "$1"/* "$T/look/"
	qpdf --qdf --object-streams=disable "$1/report.pdf" "$T/look/qdf.pdf"
	rm "$T/look/report.pdf" # packed bytes hold any three letters by chance; the line above unpacks all of them
	pdftotext -layout "$1/report.pdf" "$T/look/pdf.txt"
	pdfdetach -saveall -o "$T/look/attached" "$1/report.pdf" >/dev/null
	pdfinfo "$1/report.pdf" >"$T/look/pdf.info"
	for form in text markdown csv json; do "$IOW" report "$1" --format $form >"$T/look/form.$form" || true; done
	while IFS= read -r s; do
		grep -rliaF -e "$s" "$T/look" | sed "s|$T/look/||; s|^|$s in |"
	done <"$T/secrets" | grep -v '^2222 in \|^2022 in '
	grep -laE '2222' "$T/look/plan.json" "$T/look/cells.json"
}
"$IOW" report a.iow >"$T/out" 2>&1
for s in web01 geheim herta S64DNX0R123456 tresor-eimer 東京 Gruftmann; do
	like "$(found a.iow)" "^$s in " "the search finds $s in the original"
done

# ---- the redacted bundle

exits 3 'a bundle is redacted' "$IOW" report a.iow --redact -o b.iow --redact-map map
like "$(cat out)" '^replaced: host: 4, domain: 2, user: 3, address: 5, serial: 2, id: 6, path: [0-9]+, name: 4$' 'and how much was replaced is said'
is "$(found b.iow)" '' 'no secret is left in any file, text, attachment or property of it'
ok 'verify finds it sound' "$IOW" verify b.iow
like "$(tail -n 1 b.iow/log.txt)" '"rate":0.0 12.5 MB/s read/write at /tests/0/blocks$' 'what is no name stays'
like "$(grep command_line b.iow/host.json)" 'vmlinuz-6.1 root=UUID=id-[0-9]+ rd.luks.name=name-[0-9]+ systemd.hostname=host-[0-9]+ mitigations=off isolcpus=1-3"' \
	'options of the kernel stay, names in them do not'

# Everything but texts is as it was: numbers, order, verdicts.
numbers() { sed 's/"\([^"\\]\|\\.\)*"/""/g' "$1"; }
for f in cells.json results.json; do
	numbers a.iow/$f | sed 's/"": 2222,/"": 0,/' >one # the port of ssh
	numbers b.iow/$f >two
	same one two "$f has the same numbers"
done
words='CLAIM\|SLOWER\|FASTER\|EQUIVALENT\|INCONCLUSIVE\|VOID\|INDICATIVE\|SUPPORTED\|CONTRADICTED'
is "$(grep -o "$words" b.iow/results.json)" "$(grep -o "$words" a.iow/results.json)" 'and the same verdicts'
sed 's/"why":"[^"]*"/W/; s/,"samples".*//' a.iow/runs.jsonl >one
sed 's/"why":"[^"]*"/W/; s/,"samples".*//' b.iow/runs.jsonl >two
same one two 'all runs are as they were'
same a.iow/samples.jsonl b.iow/samples.jsonl 'and all samples'
is "$(grep -E '"(seed|first)"' b.iow/cells.json)" "$(grep -E '"(seed|first)"' a.iow/cells.json)" 'the seed of the schedule, too'

# Equal things are equal: a file of the plan is the file of the cells, of the log and of an error.
stem=$(sed -n 's/^konto-zzwort77\.dat	//p' map)
like "$stem" '^path-[0-9]+\.dat$' 'a file keeps its ending'
like "$(grep '"path"' b.iow/cells.json)" "/$stem\"" 'its pseudonym is in the cells'
like "$(sed -n 3p b.iow/runs.jsonl)" "/$stem on host-[0-9]+: read failed \(host $(sed -n 's/^web01	//p' map), serial serial-1\)" 'and in the error'
is "$(stat -c %a map)" 600 'the map is for its owner alone'

# The report says what it is, in both languages.
hash=$(sha256sum a.iow/EVIDENCE | cut -c1-64)
"$IOW" report b.iow --format text >text || true
like "$(cat text)" 'REDACTED: names are pseudonyms' 'the cover says that it is redacted'
like "$(cat text)" "Redacted from.*$(echo "$hash" | cut -c1-12)" 'and from which report'
like "$(tr -s ' \n' '  ' <text)" 'host names: 4; domains: 2; users: 3' 'the attestation says what was replaced'
like "$(tr -d ' \n' <text)" "$hash" 'and names the original'"'"'s EVIDENCE'
like "$(tr -s ' \n' '  ' <text)" 'Only with the plan of the original' 'and that this plan cannot be run'
"$IOW" report b.iow --format text --language de >text || true
like "$(cat text)" 'GESCHWÄRZT: Namen sind Pseudonyme' 'in German, too'
unlike "$(cat text)" 'attest\.redacted' 'with words for each kind'
is "$(sed -n 's/.*"of": "\([0-9a-f]*\)".*/\1/p' b.iow/host.json)" "$hash" 'host.json names it as well'
ok 'host.json fits its schema' "$IOW_BUILD/tests/lib/schema_check" "$IOW_SRC/templates/schema/host.schema.json" b.iow/host.json

# ---- the same again

"$IOW" report a.iow --redact -o c.iow >out 2>&1
for f in b.iow/*; do
	cmp -s "$f" "c.iow/${f#b.iow/}" || echo "$f"
done >differ
is "$(cat differ)" '' 'the same bundle gives the same bytes'
"$IOW" report b.iow --redact -o d.iow >out 2>&1
is "$(cat d.iow/EVIDENCE)" "$(cat b.iow/EVIDENCE)" 'a redacted bundle is redacted already'
head -c 32 /dev/urandom >key
"$IOW" report a.iow --redact --redact-key key --redact-map k1 -o k1.iow >out 2>&1
is "$(found k1.iow)" '' 'with a key, no secret is left either'
campaign 'another' later.iow
sed -i 's|"nodes": {|"nodes": { "web01": { "host_name": "WEB01.acme-corp.example", "x": "nas03:/export/geheim" },|' later.iow/host.json
seal later.iow
"$IOW" report later.iow --redact --redact-key key --redact-map k2 -o k2.iow >out 2>&1
like "$(cat k1)" '^web01	host-[0-9a-f]{10}$' 'with a key, pseudonyms follow from it'
for s in web01 acme-corp.example geheim nas03; do
	is "$(grep -i "^$s	" k2)" "$(grep -i "^$s	" k1)" "$s has the same pseudonym in another bundle"
done
head -c 32 /dev/urandom >other
"$IOW" report later.iow --redact --redact-key other --redact-map k3 -o k3.iow >out 2>&1
isnt "$(grep '^web01	' k3)" "$(grep '^web01	' k2)" 'and another with another key'

# Two weeks of one plan, redacted with one key, are compared as the originals are.
for week in 1 2; do
	campaign weekly week$week.iow 'disk of web01'
	sed -i "s|\"host_name\": \"[^\"]*\"|\"host_name\": \"web01\", \"x\": \"/week$week/x\"|" week$week.iow/host.json
	seal week$week.iow
	"$IOW" report week$week.iow --redact --redact-key key -o out$week.iow >out 2>&1
done
"$IOW" compare week1.iow week2.iow -o weeks.iow >one
"$IOW" compare out1.iow out2.iow -o outs.iow >two
like "$(cat two)" 'Disk of host-[0-9a-f]{10}' 'two weeks with one key are compared cell by cell'
sed 's/host-[0-9a-f]*/web01/g; s/outs\.iow/weeks.iow/g' two >three
same one three 'and what is said of them is the same'
rm -rf week*.iow out?.iow outs.iow

# ---- odd bundles

cat >case.json <<EOF
{ "iowitness": 1, "title": "case", "targets": { "WEB01 a": { "driver": "synth", "size": "1GiB" }, "web01 a": { "driver": "synth", "size": "1GiB" } },
  "workloads": { "scan": { "op": "read", "pattern": "random", "block": "4KiB", "amount": "64KiB" } },
  "tests": [ { "name": "reads", "targets": [ "WEB01 a", "web01 a" ], "workloads": [ "scan" ], "cache": "as-is", "blocks": 1, "pause": "0s" } ] }
EOF
"$IOW" run case.json --no-report -o case.iow >out 2>&1
sed -i 's|"host_name": "[^"]*"|"host_name": "web01"|' case.iow/host.json
seal case.iow
exits 1 'names that would become one are refused' "$IOW" report case.iow --redact
like "$(cat err)" '"web01 a" and another name of the plan would have the same pseudonym' 'and named'
rm -rf case.iow

campaign 'web01 against scan' web01.iow
sed -i 's|"nodes": {|"nodes": { "scan": { "host_name": "scan" }, "web01": { "host_name": "read", "serial": "ab" },|' web01.iow/host.json
seal web01.iow
"$IOW" report web01.iow >out 2>&1
"$IOW" report web01.iow --redact >said 2>&1
like "$(cat said)" '^host-[0-9]+-redacted.iow/report.html$' 'the default name holds no original'
ok 'hosts called as the program calls things break nothing' "$IOW" verify host-*-redacted.iow
numbers web01.iow/results.json >one
numbers host-*-redacted.iow/results.json >two
same one two 'and change no number'
like "$(cat said)" '^look for "scan" yourself' 'the user is told where to look himself'
like "$(cat host-*-redacted.iow/host.json)" '"host-[0-9]+": \{' 'where it is a name it is replaced'

# A reason that grows beyond its room is cut, and loses no number.
cp -r later.iow long.iow
long=$(awk 'BEGIN { for (i = 10; i < 59; i++) printf "/g%d", i; print "zzz" }')
sed -i "2s|\"status\":\"ok\"|\"status\":\"failed\",\"why\":\"$long\"|" long.iow/runs.jsonl
seal long.iow
ok 'a reason may be that long' "$IOW" verify long.iow
"$IOW" report long.iow --redact >out 2>&1
like "$(sed -n 2p long-redacted.iow/runs.jsonl)" '"why":"/path-[^"]*…","start' 'with longer pseudonyms it is cut'
is "$(sed -n 2p long-redacted.iow/runs.jsonl | sed 's/"why":"[^"]*"//')" "$(sed -n 2p long.iow/runs.jsonl | sed 's/"why":"[^"]*"//')" 'and all numbers are there'
ok 'the bundle is sound' "$IOW" verify long-redacted.iow

cp -r later.iow cut.iow
rm cut.iow/EVIDENCE
sed -i '$d' cut.iow/runs.jsonl
printf '{"run":9' >>cut.iow/runs.jsonl
exits 3 'a bundle that was cut off is redacted' "$IOW" report cut.iow --redact
ok 'and is sound as one that was cut off' test ! -e cut-redacted.iow/EVIDENCE -a -e cut-redacted.iow/MANIFEST
exits 3 'for verify, too' "$IOW" verify cut-redacted.iow
unlike "$(cat out)" '^problem' 'which finds nothing wrong'

# Content of the disk, whoever's it is, is left out; samples behind it are found again.
cp -r later.iow wrong.iow
awk 'NR == 2 { sub(/}$/, ",\"wrong\":[{\"offset\":1,\"got\":1,\"want\":2,\"bytes_wrong\":1,\"unit_offset\":0,\"data\":\"7465737400\"}]}") } { print }' \
	later.iow/samples.jsonl >wrong.iow/samples.jsonl
grow=$(($(wc -c <wrong.iow/samples.jsonl) - $(wc -c <later.iow/samples.jsonl)))
awk -v grow="$grow" '{ if (match($0, /"samples":\[[0-9]+,[0-9]+\]/)) { split(substr($0, RSTART + 11, RLENGTH - 12), p, ",");
	if (!first) { first = 1; p[2] += grow } else p[1] += grow
	$0 = substr($0, 1, RSTART + 10) p[1] "," p[2] substr($0, RSTART + RLENGTH - 1) } print }' later.iow/runs.jsonl >wrong.iow/runs.jsonl
seal wrong.iow
ok 'a bundle with wrong content is sound' "$IOW" verify wrong.iow
"$IOW" report wrong.iow --redact >out 2>&1
unlike "$(grep -l 7465737400 wrong-redacted.iow/* 2>/dev/null)" . 'content of the disk is left out'
ok 'and all samples are found' "$IOW" verify wrong-redacted.iow
like "$("$IOW" report wrong-redacted.iow --format text)" 'Content that was read from the disk in 1 place' 'the report says so'

# A fact that names nothing stays, a new one too: else it is to be added to those that redact_member.c knows.
campaign plain plain.iow
"$IOW" report plain.iow --redact >out 2>&1
is "$(diff plain.iow/host.json plain-redacted.iow/host.json | sed -n 's/^< *"\([a-zA-Z_ ]*\)".*/\1/p' |
	grep -vx 'host_name\|machine_id\|command_line\|file\|path')" '' 'facts that name nothing stay'

# ---- mistakes; nothing is left of them

ls -d ./*.iow .redacted-* 2>/dev/null >before
exits 1 'a bundle that exists is not written over' "$IOW" report a.iow --redact -o b.iow
like "$(cat err)" 'b.iow: exists; a bundle is never written over' 'and that is said'
exits 1 'a name that tells is refused' "$IOW" report a.iow --redact -o of-web01.iow
like "$(cat err)" 'this name says "web01"' 'with what it tells'
printf 'short' >k.short
exits 1 'a short key is refused' "$IOW" report a.iow --redact --redact-key k.short
like "$(cat err)" 'at least 16 bytes, this file has 5' 'with its length'
exits 1 'a map is not written over' "$IOW" report a.iow --redact --redact-map map
exits 1 'a key without --redact is refused' "$IOW" report a.iow --redact-key key
exits 1 'one report is not a bundle' "$IOW" report a.iow --redact --format text
"$IOW" compare later.iow web01.iow -o compared.iow >out 2>&1
exits 1 'nor is a comparison' "$IOW" report compared.iow --redact -o x.iow
like "$(cat err)" 'redact each of them with the same key' 'and what to do is said'
cp -r a.iow changed.iow
echo >>changed.iow/log.txt
exits 1 'a bundle that was changed is not redacted' "$IOW" report changed.iow --redact
like "$(cat err)" 'log.txt: was changed' 'and what was changed is said'
rm -rf changed.iow compared.iow
ls -d ./*.iow .redacted-* 2>/dev/null >after
same before after 'nothing is left of what failed'
done_testing

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iowitness verify: a bundle that is as it was sealed passes, each kind of change is found and named.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

fresh() {
	rm -rf "$T/b"
	cp -r "$IOW_SRC/tests/golden/bundle-1" "$T/b" || exit 99
	chmod -R u+w "$T/b"
}

# manifest: what a report would have sealed.
manifest() {
	(cd "$T/b" && echo '{}' >results.json && { echo '# iowitness-manifest 1'; sha256sum EVIDENCE results.json; } >MANIFEST)
}

# reseal: EVIDENCE made again, as somebody would who hides a change.
reseal() {
	(cd "$T/b" && { echo '# iowitness-evidence 1'; sha256sum plan.json cells.json host.json runs.jsonl samples.jsonl log.txt; } >EVIDENCE)
}

fresh
exits 0 'the golden bundle of version 1' "$IOW" verify "$T/b"
like "$(cat "$T/out")" "^id       $(sha256sum "$T/b/EVIDENCE" | cut -c1-12)\$" 'its id is of EVIDENCE'
like "$(cat "$T/out")" '^runs     2, complete$' 'runs and end'
ok 'sha256sum reads EVIDENCE' sh -c "cd '$T/b' && sha256sum --strict -c EVIDENCE"
exits 0 '--json' "$IOW" verify "$T/b" --json
like "$(cat "$T/out")" '"problems": \[\]' 'no problems'

fresh; sed -i 's/32768/32769/' "$T/b/runs.jsonl"
exits 5 'a changed number' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^problem  runs.jsonl: was changed' 'is named'
fresh; rm "$T/b/log.txt"
exits 5 'a file that is gone' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^problem  log.txt: is listed and not there' 'is named'
fresh; sed -i '/log.txt/d' "$T/b/EVIDENCE"
exits 5 'a file that is not listed' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^problem  log.txt: is there and not listed in EVIDENCE' 'is named'
fresh; sed -i 1q "$T/b/EVIDENCE"
exits 5 'a list without a file' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^problem  runs.jsonl: is there and not listed in EVIDENCE' 'names each that it lacks'
fresh; echo "$(sha256sum /dev/null | cut -d' ' -f1)  ../../dev/null" >>"$T/b/EVIDENCE"
exits 5 'a list that leads out of the bundle' "$IOW" verify "$T/b"
fresh; sed -i 's/Golden/Gilded/' "$T/b/plan.json"; reseal
exits 5 'another plan, sealed again' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^problem  cells.json: plan_sha256 is not that of plan.json' 'does not fit cells.json'
like "$(cat "$T/out")" '^problem  cells.json: the seed does not follow' 'nor its seed'
fresh; sed -i 's/"count":\[32000/"count":[-2000/' "$T/b/samples.jsonl"; reseal
exits 5 'samples that are none' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^problem  samples.jsonl: .*run 1: samples: "count"' 'are named'
fresh; sed -i 's/"family"/"colour"/' "$T/b/cells.json"; reseal
exits 5 'an unknown member' "$IOW" verify "$T/b"
like "$(cat "$T/out")" 'cells.json:[0-9]+:[0-9]+: /colour: unknown member' 'is named with its place'

fresh; rm "$T/b/EVIDENCE"; sed -i '$d' "$T/b/runs.jsonl"; printf '{"run":3' >>"$T/b/runs.jsonl"
exits 3 'a campaign that was cut off' "$IOW" verify "$T/b"
like "$(cat "$T/out")" '^runs     2, cut off; the last line was torn' 'and says so'
fresh; sed -i '$d' "$T/b/runs.jsonl"; reseal
exits 5 'sealed without an end line' "$IOW" verify "$T/b"

fresh; manifest
exits 0 'with a MANIFEST' "$IOW" verify "$T/b"
ok 'sha256sum reads both' sh -c "cd '$T/b' && sha256sum --strict -c EVIDENCE MANIFEST"
echo '{"a":1}' >"$T/b/results.json"
exits 5 'changed results' "$IOW" verify "$T/b"
rm "$T/b/MANIFEST"
exits 5 'results without a MANIFEST' "$IOW" verify "$T/b"

exits 1 'no bundle' "$IOW" verify "$T"
exits 1 'no directory' "$IOW" verify "$T/none"

if command -v ssh-keygen >/dev/null 2>&1; then
	fresh; manifest
	exits 5 'a signature is wanted and not there' "$IOW" verify "$T/b" --allowed-signers /dev/null
	ssh-keygen -q -t ed25519 -N '' -C a -f "$T/key" && ssh-keygen -q -t ed25519 -N '' -C b -f "$T/other"
	echo "lab@example.org $(cat "$T/key.pub")" >"$T/allowed"
	echo "lab@example.org $(cat "$T/other.pub")" >"$T/wrong"
	ssh-keygen -q -Y sign -n iowitness -f "$T/key" "$T/b/MANIFEST" 2>/dev/null
	exits 0 'signed' "$IOW" verify "$T/b" --allowed-signers "$T/allowed"
	like "$(cat "$T/out")" '^signed   Good "iowitness" signature for lab@example.org' 'by whom'
	exits 0 'by any key' "$IOW" verify "$T/b"
	exits 5 'by a key that is not allowed' "$IOW" verify "$T/b" --allowed-signers "$T/wrong"
	echo '# more' >>"$T/b/MANIFEST"
	exits 5 'a MANIFEST that was changed' "$IOW" verify "$T/b" --allowed-signers "$T/allowed"
	env --ignore-signal=CHLD "$IOW" verify "$T/b" --allowed-signers "$T/allowed" >"$T/out" 2>&1
	like "$(cat "$T/out")" '^signed   does not hold' 'also for a caller that ignores the end of its children'
else
	skip 7 'no ssh-keygen'
fi
done_testing

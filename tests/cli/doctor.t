#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iowitness doctor: it tells, changes nothing, and its exit code says whether one can measure.
. "$(dirname "$0")/../lib/tap.sh"
plan 12

mkdir here && before=$(ls -A here | wc -l)
"$IOW" doctor --dir here >out.txt 2>err.txt
rc=$?
like "$(cat out.txt)" '^(good|limited) +kernel +Linux ' 'the kernel is named'
like "$(cat out.txt)" 'filesystem +here lies on ' 'the filesystem too'
is "$(cat err.txt)" '' 'nothing on stderr'
like "$(tail -n 1 out.txt)" '^[0-9]+ good, [0-9]+ limited, [0-9]+ bad: ' 'the last line sums up'
case $(tail -n 1 out.txt) in
*' 0 bad: '*) is "$rc" 0 'nothing bad: exit 0' ;;
*) is "$rc" 2 'something bad: exit 2' ;;
esac
is "$(ls -A here | wc -l)" "$before" 'and leaves nothing behind'
exits 2 'a folder that is not there' "$IOW" doctor --dir "$T/none"
like "$(cat "$T/out")" '^bad +filesystem .*No such file' 'is named'
exits 1 'a folder where a host is meant' "$IOW" doctor "$T/here"
like "$(cat "$T/err")" "for a folder: iowitness doctor --dir $T/here" 'is told how to name it'
"$IOW" doctor --json --dir here >out.json
is "$(grep -c '"probe"' out.json)" "$(grep -cE '^(good|limited|bad) ' out.txt)" 'JSON holds every answer'
if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ]; then
	like "$("$IOW" doctor --dir /dev/shm)" '^bad +filesystem .*tmpfs' 'memory is no place for a test file'
else
	skip_anywhere 1 'no tmpfs on /dev/shm'
fi

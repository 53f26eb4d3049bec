/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/tables.h"
#include "base/vec.h"
#include "plan/cells.h"
#include "plan/keys.h"
#include "plan/workload.h"

#define HOUR INT64_C(3600000000000)
#define END { NULL, 0, 0, 0, NULL, 0, 0, 0, 0, NULL, NULL }
#define KEY(name, type, flags, def, help) { name, type, flags, 0, def, 0, 0, 0, 0, NULL, help }
#define TEXT(name, help) KEY(name, IOW_KEY_STRING, 0, NULL, help)
#define JSON(name, help) KEY(name, KEY_JSON, 0, NULL, help)
#define NEEDED(name, type, help) KEY(name, type, IOW_KEY_REQUIRED, NULL, help)
#define CHOICE(name, def, of, help) { name, IOW_KEY_CHOICE, 0, 0, def, 0, 0, 0, 0, of, help }
#define INT(name, def, lo, hi, help) { name, IOW_KEY_INT, 0, 0, def, lo, hi, 0, 0, NULL, help }
#define REAL(name, def, lo, hi, help) { name, IOW_KEY_REAL, 0, 0, def, 0, 0, lo, hi, NULL, help }
#define TIME(name, def, hi, help) { name, IOW_KEY_TIME, 0, 0, def, 0, hi, 0, 0, NULL, help }

static const char *const languages[] = { "en", "de", NULL };
static const char *const on_lost[] = { "continue", "stop", NULL };
static const char *const papers[] = { "A4", "Letter", NULL };
static const char *const needs[] = { "nothing", "root", NULL };

const struct iow_key plan_keys[] = {
	{ "iowitness", IOW_KEY_INT, IOW_KEY_REQUIRED, 0, NULL, 1, 1, 0, 0, NULL, "version of the format" },
	NEEDED("title", IOW_KEY_STRING, "what the report is called"),
	TEXT("about", "one sentence for who chooses a plan"),
	JSON("params", "names and values that ${name} stands for"),
	JSON("report", "who issues the report, for whom, under which case"),
	JSON("nodes", "other machines, by name"),
	CHOICE("on_node_lost", "continue", on_lost, "what the campaign does when a node is lost"),
	{ "node_silence", IOW_KEY_TIME, 0, 0, "30s", INT64_C(2000000000), HOUR, 0, 0, NULL,
	  "time without an answer after which a node is lost" },
	NEEDED("targets", KEY_JSON, "what is measured, by name"),
	NEEDED("workloads", KEY_JSON, "what is done, by name"),
	NEEDED("tests", KEY_JSON, "which workloads run on which targets, and how"),
	JSON("questions", "what the report answers"),
	JSON("claims", "what somebody states, to be checked"),
	END
};

const struct iow_key report_keys[] = {
	TEXT("issuer", "organisation that issues the report"),
	TEXT("address", "its address"),
	TEXT("for", "who receives it"),
	TEXT("case", "reference of the vendor's case"),
	TEXT("authorised_by", "who stands for it"),
	TEXT("permission", "who may publish it"),
	TEXT("signer", "whose key signs MANIFEST, as verify's list of allowed signers names it"),
	TEXT("conflict", "interests of the issuer in the outcome"),
	TEXT("revision", "revision of the report"),
	TEXT("replaces", "id of the report that this one replaces"),
	CHOICE("language", "en", languages, "language of the report"),
	CHOICE("paper", "A4", papers, "size of a page"),
	TEXT("logo", "a picture for the cover, PNG or SVG"),
	END
};

const struct iow_key node_keys[] = {
	NEEDED("driver", IOW_KEY_STRING, "driver that leads to the node; its own keys stand beside it"),
	END
};

const struct iow_key target_keys[] = {
	NEEDED("driver", IOW_KEY_STRING, "driver that does the I/O; its own keys stand beside it"),
	KEY("node", IOW_KEY_STRING, 0, "local", "node it is on; local is this machine"),
	JSON("make", "a loop device that the program makes for the campaign and removes after it"),
	TEXT("destroy", "id of the device, whose signature or partition table may be overwritten"),
	CHOICE("needs", "nothing", needs, "what there must be; else the target is left out, and the report says so"),
	END
};

const struct iow_key make_keys[] = {
	{ "loop", IOW_KEY_BYTES, IOW_KEY_REQUIRED, 0, NULL, 1 << 20, INT64_C(1) << 50, 0, 0, NULL,
	  "size of the loop device" },
	TEXT("dir", "directory of its backing file; not given: that of temporary files"),
	END
};

const struct iow_key test_keys[] = {
	NEEDED("name", IOW_KEY_STRING, "name of the test, unique"),
	NEEDED("targets", KEY_JSON, "array of names; the first is what others are compared against by default"),
	NEEDED("workloads", KEY_JSON, "array of names"),
	JSON("sweep", "keys and lists of values: every combination is a cell"),
	JSON("zip", "keys and lists of equal length: the first values together, then the second"),
	CHOICE("mode", "each", mode_names, "what runs at once"),
	INT("passes", "1", 1, 2, "2: each run is repeated at once on the same region"),
	JSON("variants", "changes of the configuration that are applied and undone"),
	CHOICE("cache", NULL, cache_names,
	       "state of the host's cache before a run; not given: cold where a workload reads, else as-is"),
	CHOICE("region", NULL, region_names,
	       "part of the target that a run uses; not given: fresh when cold, else same"),
	CHOICE("layout", "written", layout_names, "how a test file is made"),
	INT("blocks", "8", 1, 10000, "repetitions of each step"),
	TIME("warmup", "0", HOUR, "cut from runs that are too short for a cut to be computed"),
	TIME("pause", "200ms", HOUR, "idle window before a step, in which foreign load is read"),
	KEY("control", IOW_KEY_BOOL, 0, NULL,
	    "measure the baseline twice as two arms; not given: from 8 blocks and 2 arms on"),
	KEY("control_repeat", IOW_KEY_BOOL, 0, "false", "this campaign repeats one whose control failed"),
	KEY("waive", IOW_KEY_LIST, 0, "", "names of gates that may not void a verdict; the report prints them"),
	REAL("sd", NULL, 0.0001, 10,
	     "standard deviation of the log ratio over blocks, from a pilot or stated"),
	INT("blocks_most", NULL, 1, 10000,
	    "run --pilot chooses from blocks to this many; not given: four times blocks"),
	END
};

const struct iow_key variant_keys[] = {
	NEEDED("name", IOW_KEY_STRING, "name of the variant"),
	KEY("apply", IOW_KEY_LIST, 0, "", "command and arguments that change the configuration"),
	KEY("undo", IOW_KEY_LIST, 0, "", "command and arguments that change it back"),
	REAL("capacity", NULL, 0.01, 1,
	     "share of the processor's capacity that the variant leaves, for the question cpu; not given: 1"),
	END
};

#define COMPARED \
	JSON("compare", "selector of the subject, or an array of them"), \
	JSON("against", "selector of what it is compared against")
#define SCALED JSON("scaling", "selector: what runs together against the same alone")
#define LIMITED JSON("limit", "selector: a metric against a required value")
#define ASKED \
	TEXT("test", "narrows it to one test"), \
	KEY("metric", IOW_KEY_STRING, 0, "throughput", "what is compared"), \
	REAL("margin", "0.05", 0.001, 1, "differences up to it do not matter"), \
	JSON("at_least", "lower end of what is required or claimed"), \
	JSON("at_most", "upper end of what is required or claimed"), \
	TEXT("label", "for the report; not given: made of the selectors")

const struct iow_key question_keys[] = {
	COMPARED,
	TEXT("sensitivity", "a swept key: whether its value matters, for every pair of its values"),
	JSON("of", "selector that narrows a sensitivity"),
	JSON("cache", "selector: the second pass against the first"),
	SCALED,
	LIMITED,
	JSON("steady", "selector: whether it is steady over time"),
	JSON("cpu", "selector: whether the processor is the limit"),
	ASKED,
	END
};

const struct iow_key claim_keys[] = {
	NEEDED("says", IOW_KEY_STRING, "the claim in its own words"),
	TEXT("by", "who claims it"),
	COMPARED,
	SCALED,
	LIMITED,
	ASKED,
	JSON("quotes", "figures that the claim quotes, to see whether what it says follows from them"),
	END
};

const struct iow_key quote_keys[] = {
	NEEDED("subject", IOW_KEY_STRING, "figure of the subject as quoted, such as 19.7 s or 53 MB/s"),
	NEEDED("against", IOW_KEY_STRING, "figure of what it is compared against"),
	NEEDED("says", IOW_KEY_STRING, "what is said of the two, such as 15x, 2.3x slower or 33% faster"),
	END
};

const struct plan_table plan_tables[] = {
	{ "plan", plan_keys },	   { "report", report_keys },	  { "nodes", node_keys },
	{ "targets", target_keys }, { "make", make_keys },	  { "workloads", workload_keys },
	{ "tests", test_keys },	   { "variants", variant_keys }, { "questions", question_keys },
	{ "claims", claim_keys },  { "quotes", quote_keys },	  { NULL, NULL },
};

static const struct {
	uint64_t bit;
	const char *name;
} caps_names[] = {
	{ IOW_CAP_READ, "READ" },
	{ IOW_CAP_WRITE, "WRITE" },
	{ IOW_CAP_TRIM, "TRIM" },
	{ IOW_CAP_FLUSH, "FLUSH" },
	{ IOW_CAP_DSYNC, "DSYNC" },
	{ IOW_CAP_SYNC, "SYNC" },
	{ IOW_CAP_DIRECT, "DIRECT" },
	{ IOW_CAP_BUFFERED, "BUFFERED" },
	{ IOW_CAP_ASYNC, "ASYNC" },
	{ IOW_CAP_CONNECT, "CONNECT" },
	{ IOW_CAP_FOREIGN_HOT, "FOREIGN_HOT" },
	{ IOW_CAP_SELF_TIMED, "SELF_TIMED" },
	{ IOW_CAP_VIRTUAL_TIME, "VIRTUAL_TIME" },
	{ IOW_CAP_NEEDS_DURABILITY, "NEEDS_DURABILITY" },
	{ IOW_CAP_NO_DATA, "NO_DATA" },
};

uint64_t caps_from_json(const json_t *array)
{
	uint64_t caps = 0;

	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *s = json_string_value(json_array_get(array, i));

		for (size_t k = 0; s && k < ARRAY_LEN(caps_names); k++)
			if (strcmp(caps_names[k].name, s) == 0)
				caps |= caps_names[k].bit;
	}
	return caps;
}

uint64_t caps_known(void)
{
	uint64_t caps = 0;

	for (size_t k = 0; k < ARRAY_LEN(caps_names); k++)
		caps |= caps_names[k].bit;
	return caps;
}

json_t *caps_to_json(uint64_t caps)
{
	json_t *a = json_array();

	for (size_t k = 0; k < ARRAY_LEN(caps_names); k++)
		if (caps & caps_names[k].bit)
			json_array_append_new(a, json_string(caps_names[k].name));
	return a;
}

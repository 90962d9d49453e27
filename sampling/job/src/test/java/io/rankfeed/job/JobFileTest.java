package io.rankfeed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JobFileTest {
    private static final String JOB = """
            dataset: d
            root: /r
            sources:
              t: {parquet: /in}
            prepare:
              select: {from: t}
            sample:
              train: {batch: 64, lanes: 8}
            """;

    @ParameterizedTest
    @MethodSource("shipped")
    void theJobsThatShipAreRead(Path file) throws IOException {
        String name = file.getFileName().toString().replace(".yaml", "");
        Job job = JobFile.read(file.toString(), Files.readAllBytes(file), List.of());
        assertThat(job.dataset()).isEqualTo(name);
        assertThat(job.sample()).isNotEmpty();
    }

    private static List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../conf/jobs"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void whatIsNotWrittenHasItsDefault() {
        Job job = read();
        assertThat(job.prepare().block().toString()).isEqualTo("128 MiB");
        assertThat(job.query()).isEqualTo("SELECT * FROM `t`");
        FeedSection train = job.sample().get("train");
        assertThat(train.epochMode()).isEqualTo(EpochMode.PASS);
        assertThat(train.allStages()).isEmpty();
        assertThat(job.export().batchRows()).isEqualTo(1024);
    }

    @Test
    void tableInPlace_otherThanOneWholeParquetSource_isRefused() {
        Job job = read("prepare=none");
        assertThat(job).isEqualTo(read("prepare={rewrite: none}"));
        assertThat(job.query()).isEqualTo("SELECT * FROM `t`");
        assertThatThrownBy(() -> read("prepare=none", "sources.u={parquet: /x}"))
                .hasMessageContaining("there are 2");
        assertThatThrownBy(() -> read("prepare=none", "sources.t={jsonl: /x}"))
                .hasMessageContaining("source 't' is jsonl");
        assertThatThrownBy(() -> read("prepare=none", "sources.t.where=a > 1"))
                .hasMessageContaining("move it to where of the feeds");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sources={a: {parquet: /x}, A: {parquet: /x}}|'a' and 'A' differ only in case",
                "prepare.blok=1 MiB|did you mean 'block'",
                "prepare.block=128 m|did you mean '128 MiB'",
                "prepare.block=128MB|did you mean '128 MiB'",
                "prepare.block=-1 MiB|negative",
                "prepare.block=3 GiB|out of range",
                "prepare.block=1000000 B|multiple of 512",
                "prepare.compression=zstdd|did you mean 'zstd'",
                "prepare.register=x|db.table",
                "prepare={select: {from: t}, on-bad-row: drop, tensors: {x: {dtype: auto}}}|write the dtype",
                "sample.train.batch=60|not a multiple of the 8 lanes",
                "sample.train.mode=strem|did you mean 'stream'",
                "sample.train.strata=[{column: c}]|have no weights",
                "sources.t.version=3|only for a delta source",
                "sources.t.delta=/x|exactly one of",
                "dataset=Bad Name|must match",
                "dataset=mixtures|the folder of mixtures below the root; choose another name",
                "export.shard-rows=1000|multiple of batch-rows",
                "export.formats=[webdataset]|lacks lanes, from which the other formats are written",
                "export.formats=[]|lacks lanes",
                "export.formats=[lanes, mds, mds]|'mds' is listed twice with the same keys",
                "export.formats=[lanes, mdss]|did you mean 'mds'",
                "export.formats=[{format: lanes, shard-rows: 8}]|lanes has no keys here",
                "export.formats=[lanes, {format: mds, ranks: 3}]|ranks 3 does not divide the 8 lanes of feed 'train'",
                "export.formats=[lanes, {format: mds, ranks: 0}]|out of range",
                "export.formats=[lanes, {format: mds, columns: [a, a]}]|'a' is listed twice",
                "export.columns=[]|is an empty list; name at least one, or leave the key out for all",
                "sources.t.columns=[]|is an empty list",
                "prepare.select={from: t, columns: []}|is an empty list",
                "sources.t.parquet='a:b c'|'a:b c' is not a path: Relative path in absolute URI",
                "root=co:lon/x|'co:lon/x' is not a path",
                "sample.train.batch=9223372036854775808|out of range; must be 1 to 16777216",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], weights: {a: 1, b: 1e-400}}|'b' has more than 100 digits",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], stages: [{until: 1.0, weights: {a: 1e400}}]}|100 digits; round it",
                "export.columns=[a, b, a]|'a' is listed twice; write it once",
                "prepare={select: {from: tt}}|unknown source 'tt'; did you mean 't'?",
                "prepare={sql: SELECT 1, select: {from: t}}|exactly one of",
                "prepare={sql: SELECT 1, rewrite: none}|exactly one of",
                "prepare=nine|did you mean 'none'",
                "prepare={rewrite: none, block: 1 MiB}|prepare.block': is for a table that is written",
                "prepare={rewrite: none, delta: true}|prepare.delta': is for a table that is written",
                "sources.t.schema=a INT|only for a jsonl or csv source",
                "sources.t.glob='*.jpg'|only for a binary source",
                "sources.t.metadata=/x|only for a jsonl source",
                "sources.t.read=chosen|only for a source with metadata",
                "sources.t.draw={compat: weighted-mtp-v1, samples: 9}|only for a source with metadata",
                "sources.t={jsonl: /x, metadata: /y, draw: {compat: weighted-mtp-v2, samples: 9}}|mean 'weighted-mtp-v1'",
                "sources.t={jsonl: /x, metadata: /y, draw: {compat: weighted-mtp-v1, samples: 9, bins: {a: [1, 2]}}}|requires the other one too",
                "sources.t={jsonl: /x, metadata: /y, read: chosen, where: a > 1}|move it to where of the feeds",
                "sample.train={batch: 8, lanes: 8, order-by: c}|only for order: planned",
                "sample={train: {batch: 8, lanes: 8, nested: true}}|there is no prepare.key",
                "sample.train={kind: sequential, batch: 8, lanes: 8, nested: true}|nested",
                "sample.train.seed=-1|out of range",
                "sample.train.seed=9223372036854775808|sample.train.seed",
                "sample.train.batch=60|take 64, or other lanes",
                "sample.train.rows=63|does not fill one batch of 64; lower the batch",
                "sample.train.on-shortage=repeat|only for mode: stream; write that, or leave it out",
                "sample.train.pool=epoch|only for mode: stream",
                "sample.train={batch: 8, lanes: 8, weights: {a: 1}}|strata': must name the columns",
                "sample.train={batch: 8, lanes: 8, stages: [{until: 1.0, weights: {a: 1}}]}|strata': must name the columns",
                "sample.train={kind: sequential, batch: 8, lanes: 8, rows: 8}|every row once in order; leave it out",
                "sample.train={kind: sequential, batch: 8, lanes: 8, seed: 7}|seed",
                "sample.train={kind: sequential, batch: 8, lanes: 8, order: planned}|order",
                "sample.train={kind: sequential, batch: 8, lanes: 8, epochs: 2}|epochs",
                "sample.train={kind: sequential, batch: 8, lanes: 8, mode: pass}|mode",
                "sample.train={kind: sequential, batch: 8, lanes: 8, pool: epoch}|pool",
                "sample.train={kind: sequential, batch: 8, lanes: 8, on-shortage: repeat}|on-shortage",
                "sample.train={kind: sequential, batch: 8, lanes: 8, balance-within: epoch}|balance-within",
                "sample.train={batch: 8, lanes: 8, order: planned, balance-within: epoch}|write balance-within: batch",
                "sample.train={batch: 8, lanes: 8, mode: pass, strata: [{column: c}], balance: [c]}|mode': must be stream",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}, {column: c}], balance: [c]}|'c' is listed twice",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c, c]}|'c' is listed twice",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], weights: {a: -1}}|is negative",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], weights: {a: 0, b: 0}}|all weights are 0",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], stages: [{until: 1.0}]}|no balance; give it weights",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], margins: {d: {a: 1}}}|the margin 'd' is not a strata column",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], margins: {c: {}}}|the margin of 'c' has no values",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], margins: {}}|margins without a column",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], margins: {c: {a: 0}}}|all weights are 0",
                "sample.train={batch: 8, lanes: 8, margins: {c: {a: 1}}}|strata': must name the columns",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], margins: {c: {a: 1}}}|has a margin and is also listed under balance",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], margins: {c: {a: 1}}, stages: [{until: 1.0, weights: {a: 1}}]}|margins of their own",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], caps: {a: 1.5}}|1.5 of 'a' is not a fraction",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], stages: [{until: 1.0, weights: {a: 1}, floors: {a: -0.1}}]}|between 0 and 1",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, sql: c}], balance: [c]}|exactly one of column",
                "sample.train={batch: 8, lanes: 8, strata: [{sql: c > 1}], balance: [c]}|is required with sql",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, name: d}], balance: [c]}|is only for sql",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}, {sql: c > 1, name: c}], balance: [c]}|'c' is listed twice",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, quantiles: 1}], balance: [c]}|2 to 64",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, quantiles: 2, bins: {a: [1, 2]}}], balance: [c]}|excludes bins",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, quantile-bins: {a: 1, b: 0}}], balance: [c]}|share of 'b' must be above 0",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, quantile-bins: {a: 1}}], balance: [c]}|are 1; must be 2 to 64",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, bins: {unbinned: [1, 2]}, on-unbinned: own}], balance: [c]}|rename the bin",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], stages: [{until: 0.5, until-step: 4}, {until: 1}]}|a stage has one end",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], stages: [{weights: {a: 1}}, {until: 1}]}|number 0 has no end",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], stages: [{until-epoch: 0}, {until: 1}]}|must be above 0",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], stages: [{until-step: 0}, {}]}|stages[0].until-step': 0 is out of range; must be at least 1",
                "sample.train.seed=9223372036854775808|must be 0 to 9223372036854775807",
                "sample.train.seed=010|write 10",
                "sample.train.rows=99999999999999999999|must be 1 to 9223372036854775807",
                "sample.train={batch: 8, lanes: 8, rows-of: {feed: x, part: 0.1, at-least: 5, at-most: 3}}|3 is less than at-least, 5",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], epochs: 2, stages: [{rows: 80}, {rows: 80}]}|say their rows, which are one epoch",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], proportional: [d]}|'d' is not a strata column",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c], proportional: [c]}|is also listed under balance",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], proportional: [c], margins: {c: {a: 1}}}|has a margin and is proportional",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], proportional: [c], caps: {a: 0.1}}|floors and caps are of whole strata",
                "sample.train={batch: 8, lanes: 8, on-rare: rest}|the feed defines no strata",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c}], margins: {c: {a: 1}}, on-rare: rest}|rest mixes values",
                "sample.train={batch: 8, lanes: 8, stages: [{rows: 80}]}|strata': must name the columns",
                "sample.train={batch: 8, lanes: 8, order: planned, stages: [{order-by: c}]}|has an order of its own, and a stage an order-by",
                "sample.train={batch: 8, lanes: 8, balance-within: epoch, stages: [{order-by: c}]}|has an order of its own",
                "sample.train={batch: 8, lanes: 8, list: {text: /x}}|write order: planned",
                "sample.train={batch: 8, lanes: 8, order: planned, list: {text: /x, parquet: /y}}|exactly one of",
                "sample.train={batch: 8, lanes: 8, order: planned, list: {text: /x, column: id}}|one entry a line",
                "prepare.tokenizers={m: {file: t.json, train-on: [content]}}|m.train-on': applies to chat templates",
                "prepare.tokenizers={m: {file: t.json, date: 2026-07-01}}|m.date': applies to chat templates",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, on-unbinned: drop}], balance: [c]}|column with bins",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, bins: {a: [3, 1]}}], balance: [c]}|[min, max]",
                "sample.train={batch: 8, lanes: 8, strata: [{column: c, bins: {a: [1, 3], b: [3, 4]}}], balance: [c]}|overlap"
            })
    void whatCannotBeIsRefusedWithItsKey(String assignment, String message) {
        assertThatThrownBy(() -> read(assignment))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(assignment.substring(0, assignment.indexOf('=')));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "strata: [{column: c}], margins: {c: {a: 1}}|margins",
                "strata: [{column: c}], balance: [c], caps: {a: 0.5}|floors and caps",
                "strata: [{column: c}], balance: [c], on-rare: rest|on-rare: rest",
                "strata: [{column: c}], balance: [c], on-shortage: redistribute|on-shortage: redistribute",
                "strata: [{column: c}], balance: [c], pool: epoch|pool: epoch",
                "strata: [{column: c}], proportional: [c]|proportional",
                "strata: [{column: c}], balance: [c], stages: [{where: a > 1}]|a stage's where",
                "strata: [{column: c}], balance: [c], stages: [{until: 0.5}, {until-step: 80}, {}]|stages of which some",
                "strata: [{column: c, quantiles: 2}], balance: [c]|quantiles",
            })
    void whatMayShrinkAStratumIsNotNested(String feed, String message) {
        String nested = "sample={train: {batch: 8, lanes: 8, nested: true, " + feed + "}}";
        assertThatThrownBy(() -> read("prepare.key=[id]", nested))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("train.nested: cannot be combined with " + message);
    }

    @Test
    void contradiction_inFile_isRefusedWithItsLine() {
        String job = JOB.replace("{batch: 64, lanes: 8}", "\n    batch: 64\n    lanes: 8\n    pool: epoch");
        assertThatThrownBy(() -> JobFile.read("job.yaml", job.getBytes(StandardCharsets.UTF_8), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("job.yaml line 11, key 'sample.train.pool': ");
    }

    @Test
    void theLargestSeedIsRead() {
        assertThat(read("sample.train.seed=9223372036854775807")
                        .sample()
                        .get("train")
                        .seed())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void stagesMustAscendToTheEnd() {
        String strata = "sample.train.strata=[{column: c}]";
        assertThatThrownBy(() -> read(strata, "sample.train.stages=[{until: 0.5, weights: {a: 1}}, {until: 0.4}]"))
                .hasMessageContaining("does not follow");
        assertThatThrownBy(() -> read(strata, "sample.train.stages=[{until: 0.5}]"))
                .hasMessageContaining("must end at until: 1.0");
        assertThat(read(strata, "sample.train.weights={a: 1}")
                        .sample()
                        .get("train")
                        .allStages())
                .hasSize(1);
    }

    @Test
    void stagesThatSayTheirRowsMakeTheEpoch() {
        FeedSection train = read("sample.train={batch: 8, lanes: 8, strata: [{column: c}], balance: [c],"
                        + " stages: [{rows: 83}, {rows: 160}]}")
                .sample()
                .get("train");
        assertThat(train.rowsAsked()).contains(240L);
        assertThat(train.allStages())
                .extracting(Stage::end)
                .containsExactly(new StageEnd.Rows(83), new StageEnd.Rows(160));
    }

    @Test
    void whatIsBalancedMustBeAStrataColumn() {
        assertThatThrownBy(() -> read("sample.train.balance=[x]")).hasMessageContaining("sample.train.strata");
        assertThatThrownBy(() -> read("sample.train.strata=[{column: label}]", "sample.train.balance=[lable]"))
                .hasMessageContaining("not a strata column [label]");
    }

    @Test
    void secretsAreNotShown() {
        Job job = read("sources.t.parquet=s3a://user:hunter2@bucket/x");
        assertThat(JobFile.shown(job).toString()).doesNotContain("hunter2").contains("bucket/x");
    }

    private static Job read(String... assignments) {
        return JobFile.read("job.yaml", JOB.getBytes(StandardCharsets.UTF_8), List.of(assignments));
    }
}

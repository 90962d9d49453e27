package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigDocumentTest {
    enum Shortage {
        ERROR,
        REPEAT,
        RE_DISTRIBUTE
    }

    @NamedVariants
    sealed interface Step permits Flip, RandomCrop {}

    @WrittenShort("p")
    record Flip(@Default("0.5") double p) implements Step {}

    record RandomCrop(
            @Range(min = 1) int height,
            @Default("7") @Range(min = 1) int width) implements Step {}

    record Steps(List<Step> steps) {}

    @Test
    void aVariantIsWrittenByItsName() {
        String text = "steps: [flip, flip: 0.25, flip: {p: 1}, {random-crop: {height: 3}}, {flip: }]";
        Steps steps = ConfigDocument.parse("x.yaml", text).bind(Steps.class);
        assertThat(steps.steps())
                .containsExactly(new Flip(0.5), new Flip(0.25), new Flip(1), new RandomCrop(3, 7), new Flip(0.5));
        assertThat(ConfigJson.toJson(steps).toString())
                .startsWith("{\"steps\":[{\"flip\":{\"p\":\"0.5\"}}")
                .contains("{\"random-crop\":{\"height\":3,\"width\":7}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "steps: [flop]                     | x.yaml line 1, key 'steps[0]': unknown key 'flop'; did you mean 'flip'?",
                "steps: [{flip: 1, random-crop: 2}] | must have one key, one of flip | random-crop; it has flip and random-crop",
                "steps: [{}]                       | must have one key, one of flip | random-crop; it has none",
                "steps: [random-crop]              | key 'steps[0].random-crop': missing key 'height'",
                "steps: [random-crop: {heigth: 1}] | key 'steps[0].random-crop.heigth': unknown key; did you mean 'height'?",
                "steps: [[flip]]                   | must be a mapping (key: value), not a list",
            })
    void aMistakeInAVariantNamesItsLine(String text, String message) {
        ConfigDocument document = ConfigDocument.parse("x.yaml", text);
        assertThatThrownBy(() -> document.bind(Steps.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    sealed interface Source permits Parquet, Delta {}

    record Parquet(String parquet, @Nullable String where) implements Source {}

    record Delta(String delta, @Range(min = 0) @Nullable Long version) implements Source {}

    @OneOf({"sql", "table"})
    record Prepare(
            @Nullable String sql,
            Optional<String> table,

            @Default("128 MiB") @Range(min = 1 << 20, max = 1L << 31)
            ByteSize block) {}

    record Tensor(DType dtype, Shape shape) {}

    record Sample(
            @Range(min = 1) int batch,
            @Default("42") long seed,
            @Default("8") @Range(min = 1, max = 65536) int lanes,
            @Default("error") Shortage onShortage,
            @Default("{}") Map<String, BigDecimal> weights,
            @Default("30 s") Duration grace,
            @Default("false") boolean strict) {
        Sample {
            if (batch % 8 != 0) {
                throw new BadValue("batch", batch + " is not a multiple of 8");
            }
        }
    }

    record Job(
            String dataset,
            Map<String, Source> sources,
            @Nullable Prepare prepare,
            @Default("{}") Map<String, Tensor> tensors,
            Map<String, Sample> sample,
            @Default("[]") @NotEmpty List<String> fallback) {}

    private static final String YAML = """
            dataset: codecontests   # a comment
            sources:
              a: {parquet: /in, where: "x > 0"}
              b:
                delta: /table
                version: 12
            prepare:
              sql: SELECT * FROM a
            tensors:
              image: {dtype: uint8, shape: [64, 64, 3]}
              ids: {dtype: int32, shape: [null]}
            sample:
              train:
                batch: 256
                on-shortage: re-distribute
                weights: {"true/low": 0.7, med: 3}
                grace: 5min
            """;

    @Test
    void everyTypeIsBound() {
        Job job = parse(YAML).bind(Job.class);
        assertThat(job.dataset()).isEqualTo("codecontests");
        assertThat(job.sources())
                .containsExactly(Map.entry("a", new Parquet("/in", "x > 0")), Map.entry("b", new Delta("/table", 12L)));
        assertThat(job.prepare()).isEqualTo(new Prepare("SELECT * FROM a", Optional.empty(), new ByteSize(128L << 20)));
        assertThat(job.tensors())
                .containsEntry("image", new Tensor(DType.UINT8, Shape.of(64, 64, 3)))
                .containsEntry("ids", new Tensor(DType.INT32, Shape.of(Shape.VARIABLE)));
        assertThat(job.sample())
                .containsEntry(
                        "train",
                        new Sample(
                                256,
                                42,
                                8,
                                Shortage.RE_DISTRIBUTE,
                                Map.of("true/low", new BigDecimal("0.7"), "med", new BigDecimal("3")),
                                Duration.ofMinutes(5),
                                false));
        assertThat(job.fallback()).isEmpty();
    }

    @Test
    void unknownKey_inFile_isRefusedWithLineAndNearestKey() {
        refused(YAML.replace("batch:", "bacth:"))
                .hasMessage("conf/jobs/x.yaml line 14, key 'sample.train.bacth': unknown key; did you mean 'batch'?");
    }

    @Test
    void aMissingKeyNamesItsRecord() {
        refused(YAML.replace("    batch: 256\n", ""))
                .hasMessage("conf/jobs/x.yaml line 14, key 'sample.train': missing key 'batch'");
        refused("").hasMessage("conf/jobs/x.yaml line 1: missing key 'dataset'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'256'    | must be a whole number, not '256'",
                "1e2      | must be a whole number, not '1e2'",
                "[1]      | must be a single value, not a list",
                "{a: 1}   | must be a single value, not a mapping",
                "``       | has no value",
                "~        | has no value",
                "99999999999999999999 | 99999999999999999999 is out of range; must be 1 to 2147483647",
                "010      | '010' begins with a zero, by which some readers of YAML take it for octal; write 10",
                "-00_8    | '-00_8' begins with a zero, by which some readers of YAML take it for octal; write -8",
                "0        | 0 is out of range; must be at least 1",
                "100      | 100 is not a multiple of 8"
            })
    void aValueOfTheWrongKindIsRefusedWhereItStands(String written, String what) {
        refused(YAML.replace("batch: 256", "batch: " + written))
                .hasMessage("conf/jobs/x.yaml line 14, key 'sample.train.batch': " + what);
    }

    @Test
    void number_beyondItsType_isRefusedWithTheRange() {
        refused(YAML.replace("batch: 256", "batch: 256\n    lanes: 9223372036854775808"))
                .hasMessage("conf/jobs/x.yaml line 15, key 'sample.train.lanes': 9223372036854775808 is out of range;"
                        + " must be 1 to 65536");
    }

    @Test
    void anOptionalNumberHasARangeToo() {
        String versioned = YAML.replace("version: 12", "version: NUMBER");
        refused(versioned.replace("NUMBER", "-1")).hasMessageEndingWith(": -1 is out of range; must be at least 0");
        refused(versioned.replace("NUMBER", "9223372036854775808"))
                .hasMessageEndingWith(": 9223372036854775808 is out of range; must be 0 to 9223372036854775807");
        refused(versioned.replace("NUMBER", "007")).hasMessageContaining("write 7");
        refused(YAML.replace("med: 3", "med: 03")).hasMessageContaining("'sample.train.weights.med': '03' begins");
    }

    @Test
    void list_emptyWhereAbsentMeansAll_isRefused() {
        refused(YAML + "fallback: []")
                .hasMessageEndingWith(
                        ", key 'fallback': is an empty list; name at least one, or leave the key out for all");
    }

    @Test
    void constant_unknown_isRefusedWithAllAndTheNearest() {
        refused(YAML.replace("re-distribute", "redistribute"))
                .hasMessage("conf/jobs/x.yaml line 15, key 'sample.train.on-shortage': 'redistribute' is not one of "
                        + "error | repeat | re-distribute; did you mean 're-distribute'?");
    }

    @Test
    void aSizeWithoutItsUnitOrOutOfRangeIsRefused() {
        String sized = YAML.replace("  sql: SELECT * FROM a", "  sql: SELECT * FROM a\n  block: SIZE");
        refused(sized.replace("SIZE", "128 m"))
                .hasMessage(
                        "conf/jobs/x.yaml line 9, key 'prepare.block': '128 m' is not a size; did you mean '128 MiB'?");
        refused(sized.replace("SIZE", "3 GiB"))
                .hasMessage(
                        "conf/jobs/x.yaml line 9, key 'prepare.block': 3 GiB is out of range; must be 1 MiB to 2 GiB");
    }

    @Test
    void aUnionTakesExactlyOneOfItsKeys() {
        refused(YAML.replace("parquet: /in, ", ""))
                .hasMessageContaining("key 'sources.a': exactly one of parquet | delta must be written, none is");
        refused(YAML.replace("delta: /table", "delta: /table\n    parquet: /x"))
                .hasMessageContaining("not parquet and delta");
        refused(YAML.replace("parquet: /in", "parqet: /in")).hasMessageContaining("did you mean 'parquet'?");
        refused(YAML.replace("version: 12", "where: x"))
                .hasMessageContaining("key 'sources.b.where': unknown key; known: delta, version");
        refused(YAML.replace("  sql: SELECT * FROM a", "  sql: x\n  table: y"))
                .hasMessageContaining("line 9, key 'prepare': exactly one of sql | table must be written");
    }

    @Test
    void aKeyTwiceIsRefusedWithBothLines() {
        refused("dataset: a\nsources: {}\ndataset: b\n")
                .hasMessage(
                        "conf/jobs/x.yaml line 3, key 'dataset': is listed twice; first at conf/jobs/x.yaml line 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dataset: &a x\nroot: *a",
                "dataset: !!javax.script.ScriptEngineManager [x]",
                "dataset: !!str x",
                "? [a]\n: b",
                "a: b\n---\nc: d",
                "dataset: [",
                "dataset: \u0007",
                "- a\n- b",
                "just text",
                "<<: {dataset: x}",
                "a: b: c",
                "\tdataset: x"
            })
    void whatIsNotPlainYamlIsRefusedWithALine(String text) {
        refused(text).hasMessageMatching("conf/jobs/x\\.yaml line \\d+.*: .+");
    }

    @Test
    void hugeAndDeepTextsAreRefused() {
        refused("a: " + "x".repeat(YamlReader.MAX_CHARS)).hasMessageContaining("at most 1048576");
        byte[] utf8 = ("a: " + "é".repeat(ConfigDocument.MAX_BYTES / 2)).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ConfigDocument.parse("x.yaml", utf8))
                .isInstanceOf(ConfigException.class)
                .hasMessage("x.yaml: has 1048579 bytes; a configuration has at most 1 MiB");
        refused("a: " + "[".repeat(10_000)).hasMessageContaining("deeper than 32");
        refused("a: [" + "{a: ".repeat(10_000)).hasMessageContaining("deeper than 32");
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        assertThatThrownBy(() -> ConfigDocument.parse("x.yaml", new byte[] {'a', ':', ' ', (byte) 0xff}))
                .isInstanceOf(ConfigException.class)
                .hasMessage("x.yaml: is not UTF-8 text");
        assertThat(ConfigDocument.parse("x.yaml", "dtype: bool\nshape: []".getBytes(StandardCharsets.UTF_8))
                        .bind(Tensor.class))
                .isEqualTo(new Tensor(DType.BOOL, Shape.scalar()));
    }

    @Test
    void aDimensionThatVariesIsWrittenNull() {
        assertThat(parse("dtype: bool\nshape: [null, 3]").bind(Tensor.class))
                .isEqualTo(new Tensor(DType.BOOL, Shape.of(Shape.VARIABLE, 3)));
        assertThatThrownBy(() -> parse("dtype: bool\nshape: [-1, 3]").bind(Tensor.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("shape")
                .hasMessageContaining("has a dimension of -1; where rows differ in length write null");
    }

    private static ConfigDocument parse(String text) {
        return ConfigDocument.parse("conf/jobs/x.yaml", text);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(String text) {
        return assertThatThrownBy(() -> parse(text).bind(Job.class)).isInstanceOf(ConfigException.class);
    }
}

package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.json.CanonicalJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigJsonTest {
    enum Mode {
        PASS_ONCE
    }

    record Inner(BigDecimal share, DType dtype, Shape shape) {}

    record Outer(
            int batchRows,
            boolean fallback,
            @Nullable String absent,
            Optional<String> present,
            ByteSize block,
            Duration grace,
            Mode mode,
            double ratio,
            List<Inner> inner,
            Map<String, Long> byName) {}

    @Test
    void settings_readBack_areEqual() {
        record Stored(
                BigDecimal share, List<BigDecimal> range, String text, Optional<String> none, boolean is, int n) {}
        Stored stored = new Stored(
                new BigDecimal("0.25"),
                List.of(BigDecimal.ONE, new BigDecimal("-7")),
                "a: 'b'",
                Optional.empty(),
                true,
                3);
        assertThat(ConfigDocument.of("m", ConfigJson.toJson(stored)).bind(Stored.class))
                .isEqualTo(stored);
        Stored numeric = new Stored(BigDecimal.TEN, List.of(), "12.5", Optional.of("null"), false, 0);
        assertThat(ConfigDocument.of("m", ConfigJson.toJson(numeric)).bind(Stored.class))
                .isEqualTo(numeric);
    }

    @Test
    void aRecordIsShownInTheWordsOfTheUser() {
        Map<String, Long> byName = new LinkedHashMap<>();
        byName.put("z", 1L);
        byName.put("a", 2L);
        Outer outer = new Outer(
                8,
                true,
                null,
                Optional.of("here"),
                new ByteSize(1 << 20),
                Duration.ofSeconds(90),
                Mode.PASS_ONCE,
                0.5,
                List.of(new Inner(new BigDecimal("70.00"), DType.UINT8, Shape.of(Shape.VARIABLE, 3))),
                byName);
        assertThat(ConfigJson.toJson(outer))
                .hasToString("{\"batch-rows\":8,\"block\":\"1 MiB\",\"by-name\":{\"a\":2,\"z\":1},"
                        + "\"fallback\":true,\"grace\":\"90 s\",\"inner\":[{\"dtype\":\"uint8\",\"shape\":[null,3],\"share\":\"70\"}],"
                        + "\"mode\":\"pass-once\",\"present\":\"here\",\"ratio\":\"0.5\"}");
        assertThat(CanonicalJson.compactText(ConfigJson.toJson(outer)))
                .isEqualTo(ConfigJson.toJson(outer).toString());
    }

    @Test
    void secretsAreBlottedOut() {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        job.put("fs.s3a.secret.key", "hunter2").put("tokenizer", "gpt2").put("max-tokens", 512);
        job.putObject("credentials")
                .put("user", "hunter2")
                .putArray("more")
                .add("hunter2")
                .add(7);
        job.putArray("args").add("--conf spark.hadoop.fs.s3a.access.key=hunter2 --rows=3");
        job.put("url", "jdbc:hive2://bob:hunter2@host:1/db?password=hunter2&x=1");
        assertThat(Redaction.json(job).toString())
                .doesNotContain("hunter2")
                .contains("\"tokenizer\":\"gpt2\"", "\"max-tokens\":512", "--rows=3", "host:1/db", "x=1");
        assertThat(job.toString()).contains("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "s3a://key:hunter2@bucket/path, s3a://<redacted>@bucket/path",
        "https://h/x?X-Amz-Signature=abc&y=1, https://h/x?X-Amz-Signature=<redacted>&y=1",
        "hdfs://nn:8020/a, hdfs://nn:8020/a",
        "authToken: abc, authToken: <redacted>"
    })
    void textsAreBlottedOut(String text, String printable) {
        assertThat(Redaction.text(text)).isEqualTo(printable);
    }
}

package io.rankfeed.spark.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.text.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

class TokenizerFileIT {
    @Test
    void tokenizerFile_onlyCheckedBytes_areOpened() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of("../schema/text/src/test/resources/tokenizer/tiny.json"));
        byte[] other = bytes.clone();
        other[other.length - 1] = ' ';
        String sha256 = Sha256.hex(bytes);
        assertThatThrownBy(() -> file(sha256, other).tokenizer())
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("the executor received other bytes of t.json than the driver checked");
        assertThat(file(sha256, bytes).tokenizer().encode("def add", SpecialTokens.ADDED))
                .hasSize(6);
    }

    private static TokenizerFile file(String sha256, byte[] bytes) {
        JavaSparkContext spark =
                JavaSparkContext.fromSparkContext(LocalSpark.current(3).sparkContext());
        return new TokenizerFile("t.json", sha256, SpecialTokens.ADDED, spark.broadcast(bytes), null);
    }
}

package io.rankfeed.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizerCheckTest {
    /** Most of these end the process that opens them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"padding\":|\"padding\"|t.json, byte 113: not valid JSON",
                "\"normalizer\":null|\"normalizer\":{\"type\":\"Precompiled\"}|t.json: is a tokenizer.json on which the"
                        + " tokenizers library crashes (mod.rs:143: Precompiled: Error(\"missing field",
                "{\"SpecialToken\":{\"id\":\"<s>\"|{\"SpecialToken\":{\"id\":\"<t>\"|t.json: is a tokenizer.json on which"
                        + " the tokenizers library crashes (template.rs:563: no entry found for key); copy the model's",
                "\"type\":\"BPE\"|\"type\":\"ABC\"|t.json: is not a tokenizer.json: ",
                "\"version\":\"1.0\"|\"version\":\"1.0\",\"version\":\"1.0\"|t.json, byte 26: not valid JSON: Duplicate",
            })
    void aDamagedFileIsNamedWithTheReason(String sound, String damaged, String message) {
        String json = TokenizerTest.json();
        assertThat(json).contains(sound);
        int at = json.indexOf(sound);
        String changed = json.substring(0, at) + damaged + json.substring(at + sound.length());
        assertThatThrownBy(() -> TokenizerCheck.pass("t.json", changed.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aFileIsOpenedByAChildOnce() {
        byte[] bytes = (TokenizerTest.json() + " ").getBytes(StandardCharsets.UTF_8);
        Duration none = Duration.ZERO;
        assertThatThrownBy(() -> TokenizerCheck.pass("t.json", bytes, none))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("t.json: is not opened within 0 ms by the tokenizers library; copy");
        assertThat(TokenizerCheck.pass("t.json", bytes)).isEqualTo(Sha256.hex(bytes));
        assertThat(TokenizerCheck.pass("t.json", bytes, none)).isEqualTo(Sha256.hex(bytes));
    }

    @Test
    void aVocabularyAsLargeAsThoseOfModelsPasses() {
        String vocab = IntStream.range(0, 400_000)
                .mapToObj(i -> "\"t" + Integer.toString(i, 36) + "\":" + i)
                .collect(Collectors.joining(",", "{\"a\":400000,", "}"));
        String json =
                "{\"version\":\"1.0\",\"added_tokens\":[],\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"a\",\"vocab\":"
                        + vocab + "}}";
        TokenizerCheck.pass("t.json", json.getBytes(StandardCharsets.UTF_8));
        assertThat(Tokenizer.of("t.json", json).encode("t" + Integer.toString(359_992, 36), SpecialTokens.ADDED))
                .containsExactly(359_992);
    }

    @Test
    void text_notInVocabulary_isRefusedWithTheFile() {
        String json =
                "{\"version\":\"1.0\",\"added_tokens\":[],\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"[U]\",\"vocab\":{\"a\":0}}}";
        TokenizerCheck.pass("t.json", json.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> Tokenizer.of("t.json", json).encode("b", SpecialTokens.ADDED))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith(
                        "t.json: cannot tokenize a text of 1 characters: WordLevel error: Missing [UNK]");
    }

    /** The child reads a pipe into which nobody writes, until its parent is gone. */
    @Test
    void theChildEndsWithItsParent(@TempDir Path folder) throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TokenizerChild.class.getName(),
                        pipe.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        child.getOutputStream().close();
        assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(child.exitValue()).isEqualTo(TokenizerChild.CANNOT);
        assertThat(folder.resolve("output")).isEmptyFile();
    }
}

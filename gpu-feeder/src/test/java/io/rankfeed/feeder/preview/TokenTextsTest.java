package io.rankfeed.feeder.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTextsTest {
    @TempDir
    private Path dir;

    private TokenTexts of(String json) throws IOException {
        return TokenTexts.of(Files.writeString(dir.resolve("tokenizer.json"), json));
    }

    @Test
    void byteLevelVocabulary_isDecoded() throws IOException {
        TokenTexts texts = of("""
                {"added_tokens": [{"content": "Ġ<s>", "id": 4, "special": true}],
                 "decoder": {"type": "Sequence", "decoders": [{"type": "ByteLevel"}]},
                 "model": {"type": "BPE", "vocab": {"Ġhi": 0, "Ċ": 1, "Ã¶": 2, "âĤ": 3, "日": 5}, "merges": [["a", "b"]]}}
                """);

        assertThat(texts.of(0)).contains(" hi");
        assertThat(texts.of(1)).contains("\n");
        assertThat(texts.of(2)).contains("ö");
        assertThat(texts.of(3)).contains("\\xE2\\x82");
        assertThat(texts.of(4)).as("an added token is text already").contains("Ġ<s>");
        assertThat(texts.of(5)).as("not of the alphabet").contains("日");
        assertThat(texts.of(6)).isEmpty();
        assertThat(TokenTexts.of(dir).of(0)).as("by its folder").contains(" hi");
    }

    @Test
    void unigramVocabulary_isDecoded() throws IOException {
        TokenTexts texts = of("{\"model\": {\"vocab\": [[\"\u2581the\", -1.5], [\"<0x0A>\", 0], [\"<0xE2>\", 0]]}}");

        assertThat(texts.of(0)).contains(" the");
        assertThat(texts.of(1)).contains("\n");
        assertThat(texts.of(2)).contains("\\xE2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"model\": 3}",
                "{\"model\": {\"vocab\": [3]}}",
                "{\"model\": {\"vocab\": {\"a\": \"b\"}}}",
                "{\"added_tokens\": {}}",
                "{\"model\": {\"vocab\": {\"a\": 1}}"
            })
    void file_ofOtherKind_isNamed(String json) {
        assertThatThrownBy(() -> of(json))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--tokenizer " + dir.resolve("tokenizer.json") + ": ");
    }

    @Test
    void file_missing_isNamed() {
        assertThatThrownBy(() -> TokenTexts.of(dir))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such file");
    }
}

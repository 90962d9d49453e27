package io.rankfeed.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Held against what Hugging Face's Python package gives for the same small file. */
class TokenizerTest {
    private static final Tokenizer TINY = Tokenizer.of("tiny.json", json());

    static String json() {
        try (InputStream file = TokenizerTest.class.getResourceAsStream("/tokenizer/tiny.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void tokens_fileWithTruncationAndPadding_areThoseOfPython() {
        assertThat(TINY.encode("def add(first, second):", SpecialTokens.ADDED))
                .containsExactly(0, 289, 71, 316, 69, 9, 278, 13, 280, 264, 1);
        assertThat(TINY.encode("def add(first, second):", SpecialTokens.LEFT_OUT))
                .containsExactly(289, 71, 316, 69, 9, 278, 13, 280, 264);
        assertThat(TINY.encode("", SpecialTokens.ADDED)).containsExactly(0, 1);
        assertThat(TINY.encode("höher \uD83D\uDE00\0 \ttab", SpecialTokens.LEFT_OUT))
                .containsExactly(73, 129, 116, 269, 83, 222, 174, 255, 248, 224, 190, 222, 199, 85, 66, 67);
        assertThat(TINY.encode("<s>in</s> text", SpecialTokens.LEFT_OUT))
                .containsExactly(0, 270, 1, 222, 85, 70, 89, 85);
    }

    @Test
    void aCutKeepsWhatIsAddedAtTheEnd() {
        int[] ids = TINY.encode("def add(first, second):", SpecialTokens.ADDED);
        assertThat(TINY.addedBehind(SpecialTokens.ADDED)).isOne();
        assertThat(Tokenizer.truncated(ids, 1, 5)).containsExactly(0, 289, 71, 316, 1);
        assertThat(Tokenizer.truncated(ids, 0, 3)).containsExactly(0, 289, 71);
        assertThat(Tokenizer.truncated(ids, 1, 11)).isEqualTo(ids);
    }

    @Test
    void manyThreadsMayUseOne() {
        List<int[]> all = IntStream.range(0, 2000)
                .parallel()
                .mapToObj(i -> TINY.encode("def add" + i % 7, SpecialTokens.ADDED))
                .toList();
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i)).isEqualTo(all.get(i % 7));
        }
    }

    @Test
    void whatIsNoTokenizerIsRefused() {
        assertThatThrownBy(() -> Tokenizer.of("t.json", "{\"model\": 3}")).isInstanceOf(IllegalArgumentException.class);
    }
}

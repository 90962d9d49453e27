package io.rankfeed.schema.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private final List<String> known = List.of("batch", "balance-within", "lanes", "on-shortage");

    @Test
    void swappedLettersAreNear() {
        assertThat(Suggestion.nearest("bacth", known)).contains("batch");
    }

    @Test
    void otherSeparatorsAreNear() {
        assertThat(Suggestion.nearest("balanceWithin", known)).contains("balance-within");
        assertThat(Suggestion.nearest("on_shortage", known)).contains("on-shortage");
    }

    @Test
    void aStrangerGetsTheWholeList() {
        assertThat(Suggestion.hint("color", known)).isEqualTo("; known: batch, balance-within, lanes, on-shortage");
    }

    @Test
    void anEndlessWordIsNotCompared() {
        assertThat(Suggestion.nearest("b".repeat(1_000_000), known)).isEmpty();
    }
}

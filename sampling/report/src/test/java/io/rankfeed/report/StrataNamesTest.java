package io.rankfeed.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StrataNamesTest {
    @Test
    void wholeNumbersComeByTheirValuePartByPart() {
        List<String> sorted = List.of(
                "-1",
                "2",
                "2/easy",
                "2/hard",
                "10",
                "10/2",
                "10/10",
                "99999999999999999999",
                "-",
                "easy/2",
                "easy/10",
                "true");
        for (int seed = 0; seed < 50; seed++) {
            List<String> names = new ArrayList<>(sorted);
            Collections.shuffle(names, new Random(seed));
            names.sort(StrataNames.FOR_PEOPLE);
            assertThat(names).as("seed %d", seed).isEqualTo(sorted);
        }
        assertThat(StrataNames.FOR_PEOPLE.compare("2", "02")).isNotZero();
    }
}

package io.rankfeed.spark.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.format.known.Formats;
import io.rankfeed.job.FormatSection;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatNamesTest {
    @Test
    void jobFile_namesEachFormatThatCanBeWritten() {
        List<String> others = Arrays.stream(FormatSection.Name.values())
                .filter(name -> name != FormatSection.Name.LANES)
                .map(FormatSection.Name::word)
                .toList();
        assertThat(others).containsExactlyInAnyOrderElementsOf(Formats.names());
    }
}

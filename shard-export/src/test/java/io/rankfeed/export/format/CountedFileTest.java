package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountedFileTest {
    @Test
    void closeAll_closesEachAfterAnException() {
        List<String> closed = new ArrayList<>();
        Closeable first = () -> {
            throw new IOException("first");
        };
        Closeable second = () -> closed.add("second");
        Closeable third = () -> {
            throw new IOException("third");
        };
        Closeable last = () -> closed.add("last");
        assertThatThrownBy(() -> CountedFile.closeAll(List.of(first, second, third, last)))
                .isInstanceOf(IOException.class)
                .hasMessage("first")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactly("second", "last");
    }
}

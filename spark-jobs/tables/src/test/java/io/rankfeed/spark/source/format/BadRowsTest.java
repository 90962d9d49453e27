package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadRowsTest {
    /** A task of any number of bad rows holds one of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void badRows_areFoundOneByOneOnRequest(int every) {
        BadRows format = new BadRows(every);
        Iterator<BadLine> bad = FormatSource.badLines(
                List.of(new FilePart("/in/a.csv", Set.of(), Map.of())),
                format,
                new Configuration(false),
                file -> "t/a");
        List<String> places = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            assertThat(format.read).isEqualTo(every * i);
            assertThat(bad.hasNext()).isTrue();
            places.add(bad.next().location());
        }
        assertThat(places).containsExactly("t/a:" + every, "t/a:" + 2 * every, "t/a:" + 3 * every, "t/a:" + 4 * every);
        assertThat(format.read).isEqualTo(4 * every);
    }

    /** A file without an end. */
    private static final class BadRows implements RowFormat {
        private static final long serialVersionUID = 1L;

        private final int every;
        private int read;

        BadRows(int every) {
            this.every = every;
        }

        @Override
        public StoredFile stored(SourceFile file, Configuration conf) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileRows rows(String file, List<String> columns, Configuration conf) {
            return new FileRows() {
                @Override
                public Object[] next() throws BadRowException {
                    read++;
                    if (read % every == 0) {
                        throw new BadRowException(file, read - 1, Reason.MALFORMED_LINE, "is bad", "x");
                    }
                    return new Object[0];
                }

                @Override
                public void close() {}
            };
        }
    }
}

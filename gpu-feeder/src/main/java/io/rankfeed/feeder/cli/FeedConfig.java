package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.batch.ColumnRequest;
import io.rankfeed.feeder.batch.Layout;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A feed file ({@code conf/feeds/*.yaml}): how a node serves a version.
 *
 * @param depth slots of every ring
 * @param workers threads that help with large batches; empty: as the machine has
 * @param memory that all rings may take together; empty: what there is
 * @param grace how long a trainer waits for a feeder that is gone
 * @param verify when the checksums of record batches are checked
 * @param feeds by name; a feed that is not named has every column
 */
record FeedConfig(
        @Default("4") @Range(min = 2, max = 4096) int depth,
        @Range(min = 0, max = FeedConfig.MAX_WORKERS) Optional<Integer> workers,
        Optional<ByteSize> memory,
        @Default("30 s") Duration grace,
        @Default("first-access") Verification verify,
        @Default("{}") Map<String, FeedSection> feeds) {
    static final int MAX_WORKERS = 1024;
    private static final Duration MAX_GRACE = Duration.ofDays(1);

    FeedConfig {
        graceSeconds("grace", grace);
    }

    /** @throws ConfigException if trainers cannot be made to wait so long; {@code key} says where it was written */
    static int graceSeconds(String key, Duration grace) {
        if (grace.compareTo(MAX_GRACE) > 0 || !grace.equals(Duration.ofSeconds(grace.toSeconds()))) {
            throw new ConfigException(key + " must be whole seconds, at most a day, as in '30 s'");
        }
        return (int) grace.toSeconds();
    }

    /**
     * A feed.
     *
     * @param columns empty: row_id and every column of the version
     */
    record FeedSection(Optional<List<ColumnSection>> columns) {}

    /** A column of a feed. */
    record ColumnSection(
            String name,
            Optional<LayoutName> layout,
            @Default("0") BigDecimal padValue) {
        ColumnRequest request() {
            return new ColumnRequest(name, layout.map(LayoutName::layout), padValue);
        }
    }

    /** The layouts in the words of the file. */
    enum LayoutName {
        FIXED(Layout.FIXED),
        PADDED(Layout.PADDED),
        RAGGED(Layout.RAGGED);

        private final Layout layout;

        LayoutName(Layout layout) {
            this.layout = layout;
        }

        Layout layout() {
            return layout;
        }
    }

    /** What holds without a file. */
    static FeedConfig defaults() {
        return ConfigDocument.parse("the defaults", "{}").bind(FeedConfig.class);
    }

    /** @throws ConfigException if the file does not exist, or something in it cannot be */
    static FeedConfig read(Path file) {
        try {
            return ConfigDocument.parse(file.toString(), Files.readAllBytes(file))
                    .bind(FeedConfig.class);
        } catch (NoSuchFileException e) {
            throw new ConfigException("--config " + file + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException("feed file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    Map<String, List<ColumnRequest>> columns() {
        Map<String, List<ColumnRequest>> columns = new LinkedHashMap<>();
        feeds.forEach((name, feed) -> feed.columns()
                .ifPresent(list -> columns.put(
                        name, list.stream().map(ColumnSection::request).toList())));
        return columns;
    }
}

package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NumberOrAuto;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.CanonicalJson;
import java.io.IOException;
import java.math.BigDecimal;
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
 * @param plan a plan over the version: its name, its id, or its path; empty: the version's own plan
 * @param depth slots of every ring; auto: as many as memory allows, filled as far ahead as trainers need
 * @param workers threads that help with large batches; auto: as many as help; empty: as the machine has
 * @param memory that all rings may take together; empty: what there is
 * @param grace how long a trainer waits for a feeder that is gone
 * @param verify when the checksums of record batches are checked
 * @param feeds by name; a feed that is not named has every column
 */
record FeedConfig(
        Optional<String> plan,
        @Default("4") @Range(min = 2, max = 4096) NumberOrAuto depth,
        @Range(min = 0, max = FeedConfig.MAX_WORKERS) Optional<NumberOrAuto> workers,
        Optional<ByteSize> memory,
        @Default("30 s") Duration grace,
        @Default("first-access") Verification verify,
        @Default("{}") Map<String, FeedSection> feeds) {
    static final int MAX_WORKERS = 1024;
    private static final int DIGEST_DIGITS = 16;
    private static final Duration MAX_GRACE = Duration.ofDays(1);

    FeedConfig {
        graceSeconds("grace", grace);
    }

    /**
     * Returns the grace period in seconds. {@code key} names the key or option of the value. @throws ConfigException if
     * it is not whole seconds, or longer than a day
     */
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
     * @param transformSeed of the random numbers of steps; empty: the plan's seed, 0 for a sequential feed
     */
    record FeedSection(Optional<List<ColumnSection>> columns, Optional<Long> transformSeed) {
        ColumnSelection selection() {
            return new ColumnSelection(
                    columns.map(
                            list -> list.stream().map(ColumnSection::request).toList()),
                    transformSeed,
                    false);
        }
    }

    /**
     * A column of a feed: a field, or images or texts that are made of the field {@code from}.
     *
     * @param broken what is fed for a row whose image is missing or broken
     * @param seed of the steps' random numbers; empty: the feed's
     * @param normalize what the client does with the pixels
     * @param maxImages maximum number of images of a rank's batch, where {@code from} has lists; empty: as many as there can be
     * @param text rules by which the tokens of {@code from} become a batch
     */
    record ColumnSection(
            String name,
            Optional<LayoutName> layout,
            @Default("0") BigDecimal padValue,
            Optional<String> from,
            @Default("[]") List<Step> steps,
            @Default("fail") OnBroken broken,
            Optional<Long> seed,
            Optional<Normalization> normalize,
            @Range(min = 1, max = Integer.MAX_VALUE) Optional<Integer> maxImages,
            Optional<TextRules> text) {
        ColumnSection {
            boolean isImages =
                    !steps.isEmpty() || normalize.isPresent() || maxImages.isPresent() || broken != OnBroken.FAIL;
            if (text.isPresent() && (from.isEmpty() || isImages || layout.isPresent())) {
                throw new BadValue(
                        "text",
                        "needs 'from', the column of the tokens, and excludes steps, layout, broken, normalize and"
                                + " max-images");
            }
            if (from.isEmpty() && (isImages || seed.isPresent())) {
                throw new BadValue(
                        "",
                        "steps, broken, seed, normalize and max-images need 'from': the column that the images are"
                                + " made of");
            }
            if (layout.isPresent() && from.isPresent() != layout.get().isOfPixels()) {
                throw new BadValue(
                        "layout",
                        from.isPresent()
                                ? "images have the layouts nhwc and nchw"
                                : "nhwc and nchw are for images; name their column in 'from'");
            }
        }

        ColumnRequest request() {
            if (from.isEmpty()) {
                return new ColumnRequest(name, layout.map(LayoutName::rows), padValue, Optional.empty());
            }
            if (text.isPresent()) {
                return ColumnRequest.made(name, new Recipe.Text(from.get(), text.get(), seed));
            }
            PixelLayout pixels = layout.map(LayoutName::pixels).orElse(PixelLayout.NHWC);
            return ColumnRequest.made(
                    name,
                    new Recipe.Images(new Pipeline(from.get(), steps, pixels, broken, seed, normalize), maxImages));
        }
    }

    /** The layouts, by their names in a feed file. */
    enum LayoutName {
        FIXED,
        PADDED,
        RAGGED,
        NHWC,
        NCHW;

        boolean isOfPixels() {
            return this == NHWC || this == NCHW;
        }

        Layout rows() {
            return Layout.valueOf(name());
        }

        PixelLayout pixels() {
            return PixelLayout.valueOf(name());
        }
    }

    /** Returns the configuration of a feeder without a feed file. */
    static FeedConfig defaults() {
        return ConfigDocument.parse("the defaults", "{}").bind(FeedConfig.class);
    }

    /** @throws ConfigException if the file does not exist, or has an unknown key or an invalid value */
    static FeedConfig read(Path file) {
        try {
            return of(file, ConfigDocument.read(file));
        } catch (NoSuchFileException e) {
            throw new ConfigException("--config " + file + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException(IoReason.of("feed file " + file + " cannot be read", e), e);
        }
    }

    /** @throws ConfigException if it has an unknown key or an invalid value */
    static FeedConfig of(Path file, byte[] utf8) {
        return ConfigDocument.parse(file.toString(), utf8)
                .requireValue("plan", "give the name, the id or the path of a plan, or leave the key out")
                .bind(FeedConfig.class);
    }

    /** Returns for each feed a digest of its settings, 16 hexadecimal digits; it does not depend on the layout of the file. */
    Map<String, String> digests() {
        Map<String, String> digests = new LinkedHashMap<>();
        feeds.forEach((name, feed) -> digests.put(
                name, Sha256.hex(CanonicalJson.compact(ConfigJson.toJson(feed))).substring(0, DIGEST_DIGITS)));
        return digests;
    }

    Map<String, ColumnSelection> columns() {
        Map<String, ColumnSelection> columns = new LinkedHashMap<>();
        feeds.forEach((name, feed) -> columns.put(name, feed.selection()));
        return columns;
    }
}

package io.rankfeed.export.card;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.StoredFeed;
import io.rankfeed.schema.order.StoredFeeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The card of a prepared table or a version (docs/format/manifest.md, section 8). Its bytes follow from the manifest
 * without it, and the rows that a version stores: it is itself a file that the manifest lists.
 */
public final class DatasetCard {
    /** Sources named; the manifest has them all. */
    private static final int SHOWN_SOURCES = 20;

    /** The hub's bounds of a dataset's rows, each ten times the one before. */
    private static final List<String> SIZES =
            List.of("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T");

    private final Manifest.Table manifest;
    private final List<Split> splits;
    private final StringBuilder text = new StringBuilder();

    private DatasetCard(Manifest.Table manifest, List<Split> splits) {
        this.manifest = manifest;
        this.splits = splits;
    }

    /** @param manifest of a prepared table, without its card */
    public static byte[] ofPrepared(Manifest.Prepared manifest) {
        DatasetCard card = new DatasetCard(manifest, List.of(Split.ofPrepared(manifest)));
        card.head(Feature.ofPrepared(manifest.schema()));
        card.line("# " + manifest.dataset() + ": prepared table " + manifest.id());
        card.line("");
        card.line(
                "One row per sample, in Parquet. Tensors are packed: little-endian, row-major, of the dtype and shape below;"
                        + " each value is stored as binary.");
        card.body("data", Map.of());
        return card.bytes();
    }

    /** @param manifest of a version, without its card */
    public static byte[] ofVersion(Manifest.Version manifest, StoredFeeds stored) {
        DatasetCard card = new DatasetCard(manifest, Split.ofVersion(manifest, stored));
        card.head(Feature.ofCache(manifest.schema()));
        card.line("# " + manifest.dataset() + ": version " + manifest.id());
        card.line("");
        card.line("Caches as Arrow IPC files, cut by lane. Rows are in storage order;"
                + " the order of training follows from a plan over this version. A tensor is a list of all its elements, row-major;"
                + " where a value is missing, its column `.valid` has 0.");
        card.line("");
        card.line("| feed | rows | lanes |");
        card.line("|---|---|---|");
        stored.feeds().forEach(card::feed);
        card.body("lanes", manifest.maxLengths());
        return card.bytes();
    }

    private void head(List<Feature> features) {
        line("---");
        line("pretty_name: " + Yaml.text(manifest.dataset()));
        line("size_categories:");
        line("- " + sizeCategory(splits.stream().mapToLong(Split::rows).sum()));
        line("tags:");
        line("- rankfeed");
        line("configs:");
        line("- config_name: default");
        line("  data_files:");
        for (Split split : splits) {
            line("  - split: " + split.name());
            line("    path: " + Yaml.text(split.pattern()));
        }
        line("dataset_info:");
        line("  features:");
        features.forEach(feature -> feature.yaml().forEach(line -> line("  " + line)));
        line("  splits:");
        for (Split split : splits) {
            line("  - name: " + split.name());
            line("    num_bytes: " + split.bytes());
            line("    num_examples: " + split.rows());
        }
        long size = splits.stream().mapToLong(Split::bytes).sum();
        line("  download_size: " + size);
        line("  dataset_size: " + size);
        line("---");
        line("");
    }

    private void feed(StoredFeed feed) {
        line(String.format(Locale.ROOT, "| %s | %,d | %d |", feed.name(), feed.rows(), feed.lanes()));
    }

    private void body(String folder, Map<String, Long> maxLengths) {
        line("");
        line("| column | dtype | shape | nullable | longest |");
        line("|---|---|---|---|---|");
        for (Field field : manifest.schema().fields()) {
            Optional<Long> longest = Optional.ofNullable(maxLengths.get(field.name()));
            line("| " + field.name() + " | " + field.dtype().id() + " | "
                    + code(field.shape().toString()) + " | "
                    + (field.nullable() ? "yes" : "no") + " | "
                    + longest.map(length -> String.format(Locale.ROOT, "%,d", length))
                            .orElse("") + " |");
        }
        line("");
        line(String.format(
                Locale.ROOT,
                "%s in %s, %s. Every row has `_row_id`, a hash of its key, and `_source` and `_source_row`,"
                        + " its origin: an index into the `sources` of `manifest.json`, and a row there.",
                Plural.counted(manifest.rows(), "row"),
                Plural.counted(
                        manifest.files().stream()
                                .filter(file -> file.rows().isPresent())
                                .count(),
                        "file"),
                ByteSize.rounded(splits.stream().mapToLong(Split::bytes).sum())));
        line("");
        line("Made from:");
        line("");
        manifest.inputs().forEach(this::input);
        List<String> sources = manifest.sources();
        sources.stream().limit(SHOWN_SOURCES).forEach(source -> line("- " + code(source)));
        if (sources.size() > SHOWN_SOURCES) {
            line("- and " + Plural.counted(sources.size() - SHOWN_SOURCES, "file") + " more");
        }
        line("");
        line("```python");
        line("from datasets import load_dataset");
        line("");
        line("rows = load_dataset(\"path/of/this/folder\")  # reads " + folder + "/ by the header of this file");
        line("```");
    }

    private void input(Input input) {
        if (input instanceof Input.ArtifactInput made) {
            line("- " + made.kind() + " " + made.id());
        } else if (input instanceof Input.DeltaInput delta) {
            line("- " + code(delta.name()) + ": Delta table, version " + delta.version());
        } else if (input instanceof Input.HiveInput hive) {
            line("- " + code(hive.name()) + ": Hive table " + code(hive.table()));
        } else if (input instanceof Input.FolderInput files) {
            line("- " + code(files.name()) + ": " + files.kind() + ", "
                    + Plural.counted(files.files().size(), "file"));
        }
    }

    /** Names come from data. */
    private static String code(String text) {
        return "`" + text.replaceAll("[`|\\p{Cntrl}]", "_") + "`";
    }

    private static String sizeCategory(long rows) {
        long bound = 1_000;
        int size = 0;
        while (size < SIZES.size() && rows >= bound) {
            bound *= 10;
            size++;
        }
        if (size == SIZES.size()) {
            return "n>" + SIZES.get(size - 1);
        }
        return (size == 0 ? "" : SIZES.get(size - 1) + "<") + "n<" + SIZES.get(size);
    }

    private void line(String line) {
        text.append(Printable.line(line)).append('\n');
    }

    private byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}

package io.rankfeed.look;

import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.look.ParquetFile.RowGroup;
import io.rankfeed.report.Report;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What the footers of a table's files say. */
final class ParquetReport {
    private ParquetReport() {}

    /** Reads files, and keeps their order. @throws io.rankfeed.schema.failure.CorruptDataException for the first corrupted file */
    static List<ParquetFile> read(Store store, List<StoredFile> files) {
        return ParquetTail.ofEach(files, file -> ParquetFile.read(store, file));
    }

    /** Reads the files that are not corrupted; the report lists the others. */
    static List<ParquetFile> readIntact(Store store, List<StoredFile> files, Report report) {
        List<Object> all = ParquetTail.ofEach(files, file -> {
            try {
                return ParquetFile.read(store, file);
            } catch (CorruptDataException e) {
                return e;
            }
        });
        List<ParquetFile> intact = new ArrayList<>();
        for (Object one : all) {
            if (one instanceof ParquetFile file) {
                intact.add(file);
            } else if (one instanceof CorruptDataException broken) {
                report.damage(String.valueOf(broken.getMessage()));
            }
        }
        return intact;
    }

    /**
     * A table that is not ours.
     *
     * @param block the size to compare row groups with; else the file system's
     * @param root its folder, or its only file
     */
    static void foreign(Report report, List<ParquetFile> files, Optional<ByteSize> block, String root) {
        if (!report.damages().isEmpty()) {
            report.answer(String.format(
                    Locale.ROOT, "broken files: %d", report.damages().size()));
            report.fact("brokenFiles", (long) report.damages().size());
        }
        long bytes = files.stream().mapToLong(ParquetFile::lengthBytes).sum();
        long rows = files.stream().mapToLong(ParquetFile::rows).sum();
        report.answer(String.format(
                Locale.ROOT,
                "%s in %s, %s",
                Plural.counted(rows, "row"),
                Plural.counted(files.size(), "file"),
                ByteSize.rounded(bytes)));
        report.fact("files", (long) files.size())
                .fact("bytes", new Bytes(bytes))
                .fact("rows", rows)
                .fact(
                        "writtenBy",
                        List.copyOf(new TreeSet<>(
                                files.stream().map(ParquetFile::createdBy).toList())));
        rowGroups(
                report,
                files.stream()
                        .map(file -> file.withBlock(block.map(ByteSize::bytes).orElse(file.blockBytes())))
                        .toList());
        long schemas =
                files.stream().map(file -> file.schema().elements()).distinct().count();
        report.fact("schemas", schemas);
        if (schemas > 1) {
            report.answer(
                    String.format(Locale.ROOT, "the files have %d schemas; columns are those of the first", schemas));
        }
        Report.Table columns = report.table("columns", "name", "type", "repetition");
        files.get(0)
                .schema()
                .columns()
                .forEach(column -> columns.add(column.name(), column.type(), column.repetition()));
        partitions(files, root)
                .forEach((name, values) ->
                        columns.add(name, "in folders' names: " + values.size() + " different", "partition"));
        report.answer("columns: "
                + Report.listed(columns.rows().stream()
                        .map(row -> row.get(0).toString())
                        .toList()));
    }

    /** The values of each column that is in names of folders, {@code name=value}, in the order of these. */
    private static Map<String, Set<String>> partitions(List<ParquetFile> files, String root) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (ParquetFile file : files) {
            String[] folders = file.name()
                    .substring(Math.min(root.length(), file.name().length()))
                    .split("/", -1);
            for (String folder : Arrays.asList(folders).subList(0, folders.length - 1)) {
                int equals = folder.indexOf('=');
                if (equals > 0) {
                    values.computeIfAbsent(folder.substring(0, equals), name -> new TreeSet<>())
                            .add(folder.substring(equals + 1));
                }
            }
        }
        return values;
    }

    /**
     * Row groups, and how they are laid out on blocks.
     *
     * @param files compared with their blocks
     */
    static void rowGroups(Report report, List<ParquetFile> files) {
        LongSummaryStatistics rows = files.stream()
                .flatMap(file -> file.rowGroups().stream())
                .mapToLong(RowGroup::rows)
                .summaryStatistics();
        LongSummaryStatistics blocks =
                files.stream().mapToLong(ParquetFile::blockBytes).summaryStatistics();
        BlockFill fill = BlockFill.of(files);
        report.fact("rowGroups", rows.getCount())
                .fact("rowsPerGroup", rows.getCount() == 0 ? Report.NONE : rows.getMin() + " to " + rows.getMax())
                .fact(
                        "compression",
                        files.stream()
                                .flatMap(file -> file.codecs().stream())
                                .distinct()
                                .sorted()
                                .toList())
                .fact(
                        "block",
                        blocks.getMin() == blocks.getMax()
                                ? new Bytes(blocks.getMin())
                                : ByteSize.rounded(blocks.getMin()) + " to " + ByteSize.rounded(blocks.getMax()))
                .fact("crossingRowGroups", fill.crossing())
                .fact("weightedFill", number(fill.weighted()))
                .fact("fillP5", number(fill.p5()))
                .fact("fillP50", number(fill.p50()))
                .fact(
                        "padding",
                        new Bytes(files.stream()
                                .mapToLong(ParquetFile::paddingBytes)
                                .sum()))
                .fact("verdict", fill.verdict())
                .answer("row groups: " + fill.verdict());
        Report.Table table =
                report.table("layout", "file", "rowGroups", "crossing", "fillP5", "fillP50", "bytes", "padding");
        int folder = commonFolder(files);
        for (ParquetFile file : files) {
            BlockFill one = BlockFill.of(List.of(file));
            table.add(
                    file.name().substring(folder),
                    one.rowGroups(),
                    one.crossing(),
                    number(one.p5()),
                    number(one.p50()),
                    new Bytes(file.lengthBytes()),
                    new Bytes(file.paddingBytes()));
        }
        report.picture("blocks", BlockPicture.of(files, fill.verdict()));
    }

    /** The number of leading characters of the files' names that name their common folder, including its slash. */
    static int commonFolder(List<ParquetFile> files) {
        String first = files.isEmpty() ? "" : files.get(0).name();
        int common = first.lastIndexOf('/') + 1;
        for (ParquetFile file : files) {
            while (!file.name().startsWith(first.substring(0, common))) {
                common = first.lastIndexOf('/', common - 2) + 1;
            }
        }
        return common;
    }

    private static Object number(double value) {
        return Double.isNaN(value) ? Report.NONE : (Object) value;
    }
}

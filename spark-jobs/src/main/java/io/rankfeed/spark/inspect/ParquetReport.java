package io.rankfeed.spark.inspect;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.spark.inspect.ParquetFile.RowGroup;
import io.rankfeed.spark.inspect.Report.Bytes;
import io.rankfeed.spark.run.ParquetTail;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.schema.Type;

/** What the footers of a table's files say. */
final class ParquetReport {
    private ParquetReport() {}

    /** In the order given. @throws io.rankfeed.schema.failure.CorruptDataException for the first that is damaged */
    static List<ParquetFile> read(FileTree tree, List<FileStatus> files) {
        return ParquetTail.ofEach(files, file -> ParquetFile.read(tree, file));
    }

    /**
     * A table that is not ours.
     *
     * @param block the size to hold row groups against; else the file system's
     */
    static void foreign(Report report, List<ParquetFile> files, Optional<ByteSize> block) {
        report.fact("files", (long) files.size())
                .fact(
                        "bytes",
                        new Bytes(files.stream()
                                .mapToLong(ParquetFile::lengthBytes)
                                .sum()))
                .fact("rows", files.stream().mapToLong(ParquetFile::rows).sum())
                .fact(
                        "writtenBy",
                        List.copyOf(new TreeSet<>(
                                files.stream().map(ParquetFile::createdBy).toList())));
        rowGroups(
                report,
                files.stream()
                        .map(file -> file.withBlock(block.map(ByteSize::bytes).orElse(file.blockBytes())))
                        .toList());
        long schemas = files.stream().map(ParquetFile::schema).distinct().count();
        report.fact("schemas", schemas);
        Report.Table columns = report.table("columns", "name", "type", "repetition");
        for (Type field : files.get(0).schema().getFields()) {
            columns.add(
                    field.getName(), type(field), field.getRepetition().name().toLowerCase(Locale.ROOT));
        }
    }

    /**
     * Row groups, and how they lie on blocks.
     *
     * @param files held against their blocks
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
                .fact("verdict", fill.verdict());
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

    /** How many characters of the files' names are those of the folder that all lie in, its slash among them. */
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

    private static String type(Type field) {
        if (!field.isPrimitive()) {
            return field.getLogicalTypeAnnotation() == null
                    ? "group"
                    : field.getLogicalTypeAnnotation().toString().toLowerCase(Locale.ROOT);
        }
        String primitive = field.asPrimitiveType().getPrimitiveTypeName().name().toLowerCase(Locale.ROOT);
        return field.getLogicalTypeAnnotation() == null
                ? primitive
                : primitive + " " + field.getLogicalTypeAnnotation().toString().toLowerCase(Locale.ROOT);
    }
}

package io.rankfeed.feeder.cache;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.manifest.ColumnStatistics;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.mixture.FillValue;
import io.rankfeed.schema.mixture.MixtureColumns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of the rows that a node feeds: those of a version, or those that the versions of a mixture have together.
 *
 * @param maxLengths as those of a manifest: the largest of all versions
 * @param maxItems as those of a manifest: the largest of all versions
 * @param statistics by column; empty in a mixture
 * @param fill by column, the value of rows whose version lacks it
 * @param kind whether rows have a member
 */
public record FedColumns(
        SampleSchema schema,
        Map<String, Long> maxLengths,
        Map<String, Long> maxItems,
        Map<String, ColumnStatistics> statistics,
        Map<String, FillValue> fill,
        Kind kind) {
    /** The name of the column of member numbers (int32), which the rows of mixtures have. */
    public static final String MEMBER = MixtureColumns.MEMBER;

    /** What the rows are drawn from. */
    public enum Kind {
        VERSION,
        MIXTURE
    }

    public FedColumns {
        maxLengths = Map.copyOf(maxLengths);
        maxItems = Map.copyOf(maxItems);
        statistics = Map.copyOf(statistics);
        fill = Map.copyOf(fill);
    }

    /** The columns of a version. */
    public static FedColumns of(Manifest.Version version) {
        return new FedColumns(
                version.schema(),
                version.maxLengths(),
                version.maxItems(),
                version.statistics(),
                Map.of(),
                Kind.VERSION);
    }

    /** The columns of a mixture, and those of its rows' members. */
    static FedColumns of(MixtureColumns columns) {
        return new FedColumns(
                columns.schema(), columns.maxLengths(), columns.maxItems(), Map.of(), columns.fill(), Kind.MIXTURE);
    }

    /** The columns in the form of lane files; in a mixture also {@value #MEMBER}, which no file has. */
    List<CacheColumn> stored() {
        List<CacheColumn> columns = new ArrayList<>(CacheColumn.of(schema));
        if (kind == Kind.MIXTURE) {
            columns.add(new CacheColumn(MEMBER, DType.INT32, Shape.scalar()));
        }
        return columns;
    }

    /** The value that each row of a member has in a column that its files lack, as {@link FilledBlock} takes it. */
    List<byte[]> filled(int member, CacheColumn column) {
        if (column.name().equals(MEMBER)) {
            return List.of(ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(member)
                    .array());
        }
        FillValue value = fill.get(column.name());
        if (value == null) {
            return List.of(new byte[] {1}); // of .valid: the member has a value in each row, or each is filled
        }
        Field field = schema.field(column.name());
        return field.dtype().isBytes() ? value.items() : List.of(value.bytes(field));
    }

    /**
     * The memory of the columns that the files of a member lack.
     *
     * @param batchRows of the member's record batches
     */
    long filledBytes(int member, SampleSchema ofMember, int batchRows) {
        Set<String> names =
                CacheColumn.of(ofMember).stream().map(CacheColumn::name).collect(Collectors.toSet());
        return stored().stream()
                .filter(column -> !names.contains(column.name()))
                .mapToLong(column -> FilledBlock.bytes(column, filled(member, column), batchRows))
                .sum();
    }
}

package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.export.format.store.Megatron.TokenColumn;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class MegatronWriter implements FormatWriter {
    private final List<TokenColumn> columns;
    private final List<TokenFile> datasets = new ArrayList<>();
    private final Part part;
    private final ByteBuilder converted = new ByteBuilder();

    MegatronWriter(FileSet set, List<TokenColumn> columns, Part part, PartFiles files) throws IOException {
        this.columns = columns;
        this.part = part;
        for (TokenColumn column : columns) {
            String prefix = set.split() + "/" + column.field().name() + "_document";
            datasets.add(new TokenFile(prefix, column.type(), files));
        }
    }

    @Override
    public void row(FormatRow row) throws IOException {
        for (int i = 0; i < datasets.size(); i++) {
            TokenColumn column = columns.get(i);
            TokenFile dataset = datasets.get(i);
            int index = column.index();
            int elements = row.lengthBytes(index) / column.field().dtype().sizeBytes();
            if (column.members() < 0) {
                dataset.endSequence(elements);
            } else {
                endMembers(row, column, elements, dataset);
            }
            dataset.endDocument();
            DType dtype = column.field().dtype();
            if (dtype == column.type().dtype() || dtype == DType.BOOL) {
                dataset.write(row.array(index), row.offset(index), row.lengthBytes(index));
            } else {
                convert(row, column, elements);
                dataset.write(converted.array(), 0, converted.size());
            }
        }
    }

    private static void endMembers(FormatRow row, TokenColumn column, int elements, TokenFile dataset) {
        long sum = 0;
        byte[] lengths = row.array(column.members());
        int end = row.offset(column.members()) + row.lengthBytes(column.members());
        for (int at = row.offset(column.members()); at < end; at += Integer.BYTES) {
            int length = ByteBuilder.getInt(lengths, at);
            if (length < 0) {
                sum = -1;
                break;
            }
            sum += length;
            dataset.endSequence(length);
        }
        if (sum != elements) {
            throw new CorruptDataException(
                    "row " + row.rowId(),
                    "column '" + column.field().name() + "' has " + elements
                            + " tokens, but its members do not have as many together");
        }
    }

    /** Stores integers as another type. @throws ConfigException if it does not hold one of them */
    private void convert(FormatRow row, TokenColumn column, int elements) {
        converted.clear();
        DType from = column.field().dtype();
        byte[] array = row.array(column.index());
        int at = row.offset(column.index());
        for (int i = 0; i < elements; i++) {
            long value = LittleEndian.integer(from, array, at);
            if (!column.type().holds(value) || (from == DType.UINT64 && value < 0)) {
                throw new ConfigException("row " + row.rowId() + ": column '"
                        + column.field().name() + "' has the value "
                        + (from == DType.UINT64 ? Long.toUnsignedString(value) : value) + ", which "
                        + column.type().dtype().id() + " does not hold; set the option dtype to a larger type");
            }
            converted.putBits(value, column.type().sizeBytes());
            at += from.sizeBytes();
        }
    }

    @Override
    public PartSummary finish() throws IOException {
        List<FormatFile> written = new ArrayList<>();
        for (TokenFile dataset : datasets) {
            written.addAll(dataset.finish(part.rows()));
        }
        return new PartSummary(part.index(), part.rows(), new ArrayList<>(written), new byte[0]);
    }

    @Override
    public void close() throws IOException {
        CountedFile.closeAll(datasets);
    }
}

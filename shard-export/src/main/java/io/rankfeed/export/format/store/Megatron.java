package io.rankfeed.export.format.store;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.MetadataColumns;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Megatron's token files: each numeric column with a shape is an indexed dataset {@code <column>_document}. A row is a
 * document of one sequence; packed tokens are a document of one sequence for each member.
 */
public final class Megatron implements Format {
    static final String NAME = "megatron";

    /** The column of tokens, which {@code members} and {@code dtype} apply to. */
    private static final String TOKENS = "tokens";
    /** The column with the number of tokens of each member. */
    private static final String MEMBERS = "members";

    /**
     * A column that is an indexed dataset.
     *
     * @param index of the field in the schema
     * @param type of the elements in the file
     * @param members index of the field with the lengths of the row's sequences, or -1 if the row is one sequence
     */
    record TokenColumn(int index, Field field, TokenType type, int members) {}

    private static final String DTYPE = "dtype";
    private static final String PACKED = "member_lengths";
    private static final List<String> TOKEN_NAMES = List.of("tokens", "input_ids");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> options() {
        return Set.of(TOKENS, MEMBERS, DTYPE);
    }

    @Override
    public boolean onePart() {
        return true;
    }

    @Override
    public void check(FileSet set) {
        columns(set);
    }

    /** The columns without a shape are in the metadata, and lists of strings too. */
    @Override
    public List<Integer> metadataFields(FileSet set) {
        List<Field> fields = set.schema().fields();
        return IntStream.range(0, fields.size())
                .filter(field -> MetadataColumns.holds(fields.get(field)))
                .boxed()
                .toList();
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) throws IOException {
        return new MegatronWriter(set, columns(set), part, files);
    }

    /** The columns that are datasets. */
    private static List<TokenColumn> columns(FileSet set) {
        SampleSchema schema = set.schema();
        String tokens = tokens(set);
        int members = members(set);
        List<TokenColumn> columns = new ArrayList<>();
        for (int i = 0; i < schema.fields().size(); i++) {
            Field field = schema.fields().get(i);
            if (MetadataColumns.holds(field)) {
                MetadataColumns.require(NAME, field, "it is not a list of numbers");
                continue;
            }
            TokenType type = TokenType.of(field.dtype());
            boolean isTokens = field.name().equals(tokens);
            String wanted = set.options().text(DTYPE, "");
            if (isTokens && !wanted.isEmpty()) {
                type = TokenType.integer(wanted);
                if (type == null) {
                    throw new ConfigException("format megatron: dtype: '" + wanted
                            + "' must be uint8, int8, uint16, int16, int32 or int64");
                }
            } else if (type == null) {
                throw Format.unsupported(
                        NAME, field, "an element is an integer of 8, 16 or 32 bits, int64, float32 or float64");
            }
            if (field.nullable()) {
                throw Format.unsupported(NAME, field, "a sequence is never null; use coalesce in the query");
            }
            columns.add(new TokenColumn(i, field, type, isTokens ? members : -1));
        }
        if (columns.isEmpty()) {
            throw new ConfigException("format megatron: no column has a numeric list or tensor, such as tokens");
        }
        return columns;
    }

    /** The name of the column of tokens, or an empty string if nothing depends on it. */
    private static String tokens(FileSet set) {
        SampleSchema schema = set.schema();
        String named = set.options().text(TOKENS, "");
        if (named.isEmpty() && members(set) < 0 && set.options().text(DTYPE, "").isEmpty()) {
            return "";
        }
        List<String> candidates = TOKEN_NAMES.stream()
                .filter(name -> schema.find(name).isPresent())
                .toList();
        if (named.isEmpty() && candidates.size() != 1) {
            throw new ConfigException(
                    "format megatron: the column of tokens is ambiguous or missing; set the option " + TOKENS);
        }
        Field field = Format.column(NAME, TOKENS, schema, named.isEmpty() ? candidates.get(0) : named);
        if (!isIntegers(field)) {
            throw Format.unsupported(NAME, field, "tokens are a list of integers");
        }
        return field.name();
    }

    /** The index of the column with the lengths of members, or -1. */
    private static int members(FileSet set) {
        String named = set.options().text(MEMBERS, "");
        if (named.isEmpty() && set.schema().find(PACKED).isEmpty()) {
            return -1;
        }
        Field field = Format.column(NAME, MEMBERS, set.schema(), named.isEmpty() ? PACKED : named);
        if (field.dtype() != DType.INT32 || !isIntegers(field)) {
            if (named.isEmpty()) {
                return -1;
            }
            throw Format.unsupported(NAME, field, "lengths of members are a list of int32");
        }
        return set.schema().fields().indexOf(field);
    }

    private static boolean isIntegers(Field field) {
        boolean integer =
                switch (field.dtype()) {
                    case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> true;
                    default -> false;
                };
        return integer && field.shape().rank() == 1 && !field.nullable();
    }
}

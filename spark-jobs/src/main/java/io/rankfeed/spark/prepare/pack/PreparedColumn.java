package io.rankfeed.spark.prepare.pack;

import io.rankfeed.export.petastorm.PetastormTable;
import io.rankfeed.job.TensorSection;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.tensor.ScalarKind;
import io.rankfeed.spark.tensor.TensorPacker;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Set;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A column of the prepared table.
 *
 * @param name of the column
 * @param source its Spark type in the query's result
 * @param stored its Spark type in the prepared table; lists are packed to binary
 * @param dtype element type
 * @param dims shape of one row, slowest first, -1 where it is variable
 * @param headBytes what is before a tensor's elements in the prepared table: 0, or the head of an array of numpy's
 */
public record PreparedColumn(
        String name, DataType source, DataType stored, DType dtype, ArrayList<Integer> dims, int headBytes)
        implements Serializable {
    private static final Set<String> KEY_TYPES =
            Set.of("byte", "short", "integer", "long", "string", "binary", "boolean");

    /** @throws ConfigException if no column of a sample can hold this type; the message has the SQL to write */
    public static PreparedColumn of(StructField field, @Nullable TensorSection tensor) {
        String name = field.name();
        DataType type = field.dataType();
        if (type instanceof ArrayType list) {
            DType own = elementType(name, list);
            Shape shape =
                    tensor == null ? Shape.of(Shape.VARIABLE) : tensor.shape().orElse(Shape.of(Shape.VARIABLE));
            DType wanted = tensor == null ? own : tensor.type().orElse(own);
            if (own.isBytes() && !wanted.isBytes()) {
                throw new ConfigException("prepare.tensors." + name + ": the column is " + type.simpleString()
                        + ", and a tensor has numbers; remove the entry, or cast the items in the job's SQL");
            }
            TensorPacker.requireShape("column '" + name + "'", list, shape, "prepare.tensors." + name + ".shape");
            return column(name, type, DataTypes.BinaryType, wanted, shape);
        }
        if (tensor != null) {
            return raw(name, type, tensor);
        }
        TensorMetadata known = TensorMetadata.of(field).orElse(null);
        if (known != null && known.headBytes() == 0) {
            return column(name, type, type, known.dtype(), known.shape());
        }
        return column(name, type, type, scalarType(name, type), Shape.scalar());
    }

    /** @throws ConfigException if no key can have a column of this type */
    public void requireKeyType() {
        if (!KEY_TYPES.contains(source.typeName())) {
            throw new ConfigException("prepare.key: column '" + name + "' is " + source.simpleString()
                    + "; a key is an integer, string, binary or boolean: write in the job's SQL CAST(" + name
                    + " AS STRING)");
        }
    }

    public Field field(boolean nullable) {
        return new Field(name, dtype, shape(), nullable);
    }

    Shape shape() {
        return new Shape(dims);
    }

    public boolean isPacked() {
        return !dims.isEmpty();
    }

    TensorPacker packer() {
        return new TensorPacker(name, source, dtype, shape());
    }

    /** Whether its values are stored as bytes: packed tensors, strings and binary. */
    public boolean isBytesInSpark() {
        return stored.equals(DataTypes.BinaryType) || stored.equals(DataTypes.StringType);
    }

    /** The column in Spark's schema of the prepared table. */
    StructField structField() {
        return new StructField(name, stored, true, new TensorMetadata(dtype, shape(), headBytes).toMetadata());
    }

    /** Returns the column with its tensors in Petastorm's encoding. @throws ConfigException if numpy has no such type */
    public PreparedColumn asPetastorm() {
        PetastormTable.refuseUnfit(field(true));
        return isPacked() && !dtype.isBytes()
                ? new PreparedColumn(name, source, stored, dtype, dims, PetastormTable.headBytes(name, dtype, shape()))
                : this;
    }

    /** A tensor's bytes in the prepared table. */
    byte[] storedBytes(byte[] packed) {
        return headBytes == 0 ? packed : PetastormTable.array(dtype, shape(), headBytes, packed);
    }

    private static PreparedColumn column(String name, DataType source, DataType stored, DType dtype, Shape shape) {
        PreparedColumn column = new PreparedColumn(name, source, stored, dtype, new ArrayList<>(shape.dims()), 0);
        column.field(true);
        return column;
    }

    /** Binary that holds a tensor already. */
    private static PreparedColumn raw(String name, DataType type, TensorSection tensor) {
        if (!type.equals(DataTypes.BinaryType) || tensor.type().isEmpty()) {
            throw new ConfigException("prepare.tensors." + name + ": the column is " + type.simpleString()
                    + "; a tensor comes from a list of numbers, or from binary with its dtype given");
        }
        Shape shape = tensor.shape().orElse(Shape.of(Shape.VARIABLE));
        return column(name, type, type, tensor.type().get(), shape);
    }

    private static DType elementType(String name, ArrayType list) {
        DataType element = list.elementType();
        boolean nested = element instanceof ArrayType;
        while (element instanceof ArrayType inner) {
            element = inner.elementType();
        }
        boolean isBytes = element.equals(DataTypes.StringType) || element.equals(DataTypes.BinaryType);
        if (isBytes && !nested) {
            return scalarType(name, element);
        } else if (element.equals(DataTypes.StringType)) {
            throw refused(name, list, Columns.json(quoted(name), list));
        } else if (element.equals(DataTypes.BooleanType)
                || (element instanceof NumericType && !(element instanceof DecimalType))) {
            return scalarType(name, element);
        }
        boolean each = !nested
                && (element.equals(DataTypes.DateType)
                        || element.typeName().startsWith("timestamp")
                        || element instanceof DecimalType);
        throw refused(
                name,
                list,
                each
                        ? "transform(" + quoted(name) + ", x -> " + cast("x", element) + ")"
                        : Columns.json(quoted(name), list));
    }

    private static DType scalarType(String name, DataType type) {
        return ScalarKind.of(type)
                .map(ScalarKind::dtype)
                .orElseThrow(() -> refused(name, type, cast(quoted(name), type)));
    }

    /** SQL that gives a value of an unsupported type as one that a column can have. */
    private static String cast(String value, DataType type) {
        if (type instanceof DecimalType decimal) {
            // A whole number that is too large is an error.
            return "CAST(" + value + " AS " + (decimal.scale() == 0 && decimal.precision() <= 20 ? "BIGINT" : "STRING")
                    + ")";
        } else if (type instanceof StructType struct && struct.length() > 0) {
            return value + "." + quoted(struct.fields()[0].name());
        }
        return switch (type.typeName()) {
            case "date" -> "unix_date(" + value + ")";
            case "timestamp" -> "unix_micros(" + value + ")";
            case "timestamp_ntz" -> "unix_micros(CAST(" + value + " AS TIMESTAMP))";
            case "map", "variant", "struct" -> Columns.json(value, type);
            case "void" -> "CAST(NULL AS INT)";
            default ->
                type.typeName().startsWith("geo") ? "ST_AsBinary(" + value + ")" : "CAST(" + value + " AS STRING)";
        };
    }

    private static boolean isFraction(DataType type) {
        return type instanceof ArrayType list
                ? isFraction(list.elementType())
                : type instanceof DecimalType decimal && decimal.scale() > 0;
    }

    private static String quoted(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : "`" + name.replace("`", "``") + "`";
    }

    private static ConfigException refused(String name, DataType type, String cast) {
        return new ConfigException("column '" + name + "' is " + type.simpleString()
                + ", an unsupported type; write in the job's SQL: " + cast + " AS " + quoted(name)
                + (isFraction(type) ? "; or, rounded to the nearest double: " + cast.replace("STRING", "DOUBLE") : "")
                + (type instanceof StructType struct && struct.length() > 1
                        ? "; each field is a column of its own"
                        : ""));
    }
}

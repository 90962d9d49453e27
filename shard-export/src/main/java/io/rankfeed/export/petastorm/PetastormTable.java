package io.rankfeed.export.petastorm;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;

/** A table of ours as a Petastorm dataset: which Unischema a sample's schema is, and how its tensors are laid out. */
public final class PetastormTable {
    private PetastormTable() {}

    /**
     * The Unischema of a schema.
     *
     * @param dataset gives it its name, which Petastorm makes a class's
     * @throws ConfigException if Petastorm has no type for a field
     */
    public static Unischema unischema(String dataset, SampleSchema schema) {
        List<UnischemaField> fields = new ArrayList<>();
        for (Field field : schema.fields()) {
            fields.add(field(field));
        }
        String name = dataset.replace('-', '_');
        return new Unischema(Character.isDigit(name.charAt(0)) ? "d" + name : name, fields);
    }

    /** @throws ConfigException if Petastorm has no type for the field */
    public static void refuseUnfit(Field field) {
        UnischemaField unused = field(field);
    }

    static UnischemaField field(Field field) {
        NumpyType type = type(field.name(), field.dtype());
        if (field.name().startsWith("_") || ClassAttributes.KEYWORDS.contains(field.name())) {
            throw new ConfigException("prepare.petastorm: column '" + field.name() + "' is not a name in Python's named"
                    + " tuples, which Petastorm's rows are; rename it in the job's SQL with AS");
        }
        if (field.kind() == Field.Kind.LIST) {
            throw new ConfigException("prepare.petastorm: column '" + field.name() + "' is a list of "
                    + field.dtype().id() + ", which no array of numpy holds; leave it out in the job's SQL");
        }
        UnischemaCodec codec;
        if (field.shape().rank() > 0) {
            codec = new UnischemaCodec.Ndarray();
        } else {
            codec = type == NumpyType.BYTES ? new UnischemaCodec.Scalar("BinaryType") : new UnischemaCodec.None();
        }
        return new UnischemaField(field.name(), type, field.shape().dims(), codec, field.nullable());
    }

    /** Bytes before the elements of every array of a column. @throws ConfigException if numpy has no such array */
    public static int headBytes(String column, DType dtype, Shape shape) {
        return NpyHeader.lengthBytes(type(column, dtype), shape.dims());
    }

    /**
     * An array as {@code np.save} writes it.
     *
     * @param shape of the column
     * @param packed the elements, whole ones of the shape
     */
    public static byte[] array(DType dtype, Shape shape, int headBytes, byte[] packed) {
        List<Integer> dims = new ArrayList<>(shape.dims());
        if (shape.isVariable()) {
            dims.set(0, packed.length / (shape.elements() * dtype.sizeBytes()));
        }
        return NpyHeader.write(NumpyType.of(dtype).orElseThrow(), dims, headBytes, packed);
    }

    private static NumpyType type(String column, DType dtype) {
        return NumpyType.of(dtype)
                .orElseThrow(() -> new ConfigException("prepare.petastorm: column '" + column + "' is " + dtype.id()
                        + ", which numpy does not have; take float32 or float16 under prepare.tensors"));
    }
}

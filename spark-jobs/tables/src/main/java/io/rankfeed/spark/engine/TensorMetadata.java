package io.rankfeed.spark.engine;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import java.util.Optional;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;

/**
 * The type of a column's values, in the metadata of its Spark field. It goes with the column through projections, and
 * into the footers of prepared files.
 *
 * @param headBytes how many bytes are before the elements of each value; 0 where they are bare
 */
public record TensorMetadata(DType dtype, Shape shape, int headBytes) {
    private static final String DTYPE = "rankfeed.dtype";
    private static final String SHAPE = "rankfeed.shape";
    private static final String HEAD_BYTES = "rankfeed.head-bytes";

    /** The tensor that a binary column says it holds. */
    public static Optional<TensorMetadata> of(StructField field) {
        Metadata metadata = field.metadata();
        if (!field.dataType().equals(DataTypes.BinaryType) || !metadata.contains(DTYPE) || !metadata.contains(SHAPE)) {
            return Optional.empty();
        }
        DType dtype = DType.fromId(metadata.getString(DTYPE));
        Shape shape = SchemaJson.shapeOf(metadata.getString(SHAPE), "column '" + field.name() + "'");
        int headBytes = metadata.contains(HEAD_BYTES) ? (int) metadata.getLong(HEAD_BYTES) : 0;
        return shape.rank() == 0 ? Optional.empty() : Optional.of(new TensorMetadata(dtype, shape, headBytes));
    }

    public Metadata toMetadata() {
        MetadataBuilder metadata = new MetadataBuilder()
                .putString(DTYPE, dtype.id())
                .putString(SHAPE, CanonicalJson.compactText(SchemaJson.toJson(shape)));
        return headBytes == 0
                ? metadata.build()
                : metadata.putLong(HEAD_BYTES, headBytes).build();
    }
}

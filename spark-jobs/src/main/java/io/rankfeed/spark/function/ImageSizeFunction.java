package io.rankfeed.spark.function;

import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageFile;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** {@code rf_image_size(content)}: what the header says of an image, which is not decoded. */
final class ImageSizeFunction {
    private static final String NAME = "rf_image_size";
    private static final StructType SIZE =
            new StructType().add("width", DataTypes.IntegerType, false).add("height", DataTypes.IntegerType, false);

    private ImageSizeFunction() {}

    static SqlFunction of() {
        return new SqlFunction(NAME, "rf_image_size(content)", count -> count == 1, arguments -> {
            ImageFunction.refuseUnlessImage(NAME, arguments.get(0));
            return RowFunction.of(NAME, SIZE, arguments, "", ImageSizeFunction::size);
        });
    }

    private static @Nullable InternalRow size(InternalRow row) {
        if (row.isNullAt(0)) {
            return null;
        }
        try (ImageFile image = ImageFile.open(row.getBinary(0))) {
            return new GenericInternalRow(new Object[] {image.width(), image.height()});
        } catch (BrokenImageException e) {
            throw new UnfitValueException(Reason.IMAGE_BROKEN, "an image " + e.getMessage());
        }
    }
}

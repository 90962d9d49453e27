package io.rankfeed.spark.function;

import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageFile;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** {@code rf_image_size(content)}: what the header says of an image, which is not decoded. */
final class ImageSizeFunction implements SqlFunction {
    @Override
    public String name() {
        return "rf_image_size";
    }

    @Override
    public String usage() {
        return "rf_image_size(content)";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 1, 1);
        Argument content = arguments.get(0);
        if (!content.isBinary()) {
            throw content.refused(name(), "the image", "a BINARY, the bytes of a PNG or JPEG file");
        }
        return new Bound(name(), arguments);
    }

    private static final class Bound extends RowFunction<InternalRow> {
        private static final long serialVersionUID = 1L;

        Bound(String name, List<Argument> arguments) {
            super(
                    name,
                    DataTypes.createStructType(List.of(
                            DataTypes.createStructField("width", DataTypes.IntegerType, false),
                            DataTypes.createStructField("height", DataTypes.IntegerType, false))),
                    arguments);
        }

        @Override
        Object settings() {
            return "";
        }

        @Override
        public @Nullable InternalRow produceResult(InternalRow row) {
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
}

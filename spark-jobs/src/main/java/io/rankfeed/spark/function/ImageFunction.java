package io.rankfeed.spark.function;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.Decoding;
import io.rankfeed.schema.image.ImageFile;
import io.rankfeed.schema.image.ImageForm;
import io.rankfeed.schema.image.ImageHeader;
import io.rankfeed.schema.image.Resize;
import io.rankfeed.schema.image.RgbPixels;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.engine.SqlFunctions;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** {@code rf_image(content, …)} and {@code rf_pixels(content, width, height)}: images that can be decoded. */
final class ImageFunction implements SqlFunction {
    private static final int MAX_SIDE = 1 << 14;

    private enum Result {
        SAME,
        FILE,
        PIXELS
    }

    private final Result largest;
    private final Decoding decoding;

    private ImageFunction(Result largest, Decoding decoding) {
        this.largest = largest;
        this.decoding = decoding;
    }

    static ImageFunction image(Decoding decoding) {
        return new ImageFunction(Result.FILE, decoding);
    }

    static ImageFunction pixels(Decoding decoding) {
        return new ImageFunction(Result.PIXELS, decoding);
    }

    @Override
    public String name() {
        return largest == Result.PIXELS ? "rf_pixels" : "rf_image";
    }

    @Override
    public String usage() {
        return largest == Result.PIXELS
                ? "rf_pixels(content, 224, 224), or with 'bicubic' behind"
                : "rf_image(content), or rf_image(content, 224, 224, 'png' or 'jpeg'), or that with 'bicubic' behind";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        boolean pixels = largest == Result.PIXELS;
        boolean asIs = !pixels && arguments.size() == 1;
        if (!asIs) {
            refuseUnless(arguments, pixels ? 3 : 4, pixels ? 4 : 5);
        }
        Argument content = arguments.get(0);
        if (!content.isBinary()) {
            throw content.refused(name(), "the image", "a BINARY, the bytes of a PNG or JPEG file");
        }
        if (asIs) {
            return new Bound(
                    name(), new Settings(Result.SAME, 0, 0, ImageForm.PNG, Resize.BILINEAR, decoding), arguments);
        }
        int width = arguments.get(1).number(name(), "the width", 1, MAX_SIDE);
        int height = arguments.get(2).number(name(), "the height", 1, MAX_SIDE);
        ImageForm form = pixels ? ImageForm.PNG : form(arguments.get(3));
        int words = pixels ? 3 : 4;
        Resize filter = arguments.size() > words ? filter(arguments.get(words)) : Resize.BILINEAR;
        return new Bound(name(), new Settings(largest, width, height, form, filter, decoding), arguments);
    }

    private ImageForm form(Argument word) {
        return switch (word.text(name(), "the format")) {
            case "png" -> ImageForm.PNG;
            case "jpeg" -> ImageForm.JPEG;
            default -> throw word.refused(name(), "the format", "'png' or 'jpeg'");
        };
    }

    private Resize filter(Argument word) {
        return switch (word.text(name(), "the filter")) {
            case "bilinear" -> Resize.BILINEAR;
            case "bicubic" -> Resize.BICUBIC;
            default -> throw word.refused(name(), "the filter", "'bilinear' or 'bicubic'");
        };
    }

    private record Settings(Result result, int width, int height, ImageForm form, Resize filter, Decoding decoding)
            implements Serializable {
        DataType type() {
            return result == Result.PIXELS
                    ? SqlFunctions.tensor(DType.UINT8, Shape.of(height, width, 3))
                    : DataTypes.BinaryType;
        }
    }

    private static final class Bound extends RowFunction<Object> {
        private static final long serialVersionUID = 1L;

        private final Settings settings;

        Bound(String name, Settings settings, List<Argument> arguments) {
            super(name, settings.type(), arguments);
            this.settings = settings;
        }

        @Override
        Object settings() {
            return settings;
        }

        @Override
        public @Nullable Object produceResult(InternalRow row) {
            if (row.isNullAt(0)) {
                throw new UnfitValueException(Reason.IMAGE_MISSING, "an image is null");
            }
            byte[] file = row.getBinary(0);
            try {
                return switch (settings.result()) {
                    case SAME -> {
                        decoded(file);
                        yield file;
                    }
                    case FILE -> settings.form().encoded(resized(file));
                    case PIXELS ->
                        new GenericInternalRow(new Object[] {resized(file).bytes()});
                };
            } catch (BrokenImageException e) {
                throw new UnfitValueException(Reason.IMAGE_BROKEN, "an image " + e.getMessage());
            }
        }

        private RgbPixels resized(byte[] file) throws BrokenImageException {
            return settings.filter().of(decoded(file), settings.width(), settings.height());
        }

        private RgbPixels decoded(byte[] file) throws BrokenImageException {
            try (ImageFile image = ImageFile.open(file)) {
                if (image.pixels() > ImageHeader.MAX_PIXELS) {
                    throw new UnfitValueException(
                            Reason.IMAGE_TOO_LARGE,
                            "an image of " + image.width() + " x " + image.height() + " pixels, more than "
                                    + ImageHeader.MAX_PIXELS);
                }
                return image.rgb(settings.decoding());
            }
        }
    }
}

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
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;

/** {@code rf_image(content, …)} and {@code rf_pixels(content, width, height)}: images that can be decoded. */
final class ImageFunction {
    private static final String IMAGE = "rf_image";
    private static final String PIXELS = "rf_pixels";
    private static final int MAX_SIDE = 1 << 14;

    private enum Result {
        SAME,
        FILE,
        PIXELS
    }

    private ImageFunction() {}

    static SqlFunction image(Decoding decoding) {
        String usage =
                "rf_image(content), or rf_image(content, 224, 224, 'png' or 'jpeg'), or that with 'bicubic' behind";
        return new SqlFunction(IMAGE, usage, count -> count == 1 || count == 4 || count == 5, arguments -> {
            refuseUnlessImage(IMAGE, arguments.get(0));
            if (arguments.size() == 1) {
                Images images = new Images(Result.SAME, 0, 0, ImageForm.PNG, Resize.BILINEAR, decoding);
                return RowFunction.of(IMAGE, DataTypes.BinaryType, arguments, images, images);
            }
            int width = side(IMAGE, "the width", arguments.get(1));
            int height = side(IMAGE, "the height", arguments.get(2));
            ImageForm form = form(arguments.get(3));
            Images images = new Images(Result.FILE, width, height, form, filter(IMAGE, arguments, 4), decoding);
            return RowFunction.of(IMAGE, DataTypes.BinaryType, arguments, images, images);
        });
    }

    static SqlFunction pixels(Decoding decoding) {
        String usage = "rf_pixels(content, 224, 224), or with 'bicubic' behind";
        return new SqlFunction(PIXELS, usage, count -> count == 3 || count == 4, arguments -> {
            refuseUnlessImage(PIXELS, arguments.get(0));
            int width = side(PIXELS, "the width", arguments.get(1));
            int height = side(PIXELS, "the height", arguments.get(2));
            Resize filter = filter(PIXELS, arguments, 3);
            Images images = new Images(Result.PIXELS, width, height, ImageForm.PNG, filter, decoding);
            return RowFunction.of(
                    PIXELS, SqlFunctions.tensor(DType.UINT8, Shape.of(height, width, 3)), arguments, images, images);
        });
    }

    static void refuseUnlessImage(String function, Argument content) {
        if (!content.isBinary()) {
            throw content.refused(function, "the image", "a BINARY, the bytes of a PNG or JPEG file");
        }
    }

    private static int side(String function, String what, Argument number) {
        return number.number(function, what, 1, MAX_SIDE);
    }

    private static ImageForm form(Argument word) {
        return switch (word.text(IMAGE, "the format")) {
            case "png" -> ImageForm.PNG;
            case "jpeg" -> ImageForm.JPEG;
            default -> throw word.refused(IMAGE, "the format", "'png' or 'jpeg'");
        };
    }

    private static Resize filter(String function, List<Argument> arguments, int at) {
        if (arguments.size() == at) {
            return Resize.BILINEAR;
        }
        Argument word = arguments.get(at);
        return switch (word.text(function, "the filter")) {
            case "bilinear" -> Resize.BILINEAR;
            case "bicubic" -> Resize.BICUBIC;
            default -> throw word.refused(function, "the filter", "'bilinear' or 'bicubic'");
        };
    }

    private record Images(Result result, int width, int height, ImageForm form, Resize filter, Decoding decoding)
            implements RowFunction.Value<Object> {
        @Override
        public Object of(InternalRow row) {
            if (row.isNullAt(0)) {
                throw new UnfitValueException(Reason.IMAGE_MISSING, "an image is null");
            }
            byte[] file = row.getBinary(0);
            try {
                return switch (result) {
                    case SAME -> {
                        decoded(file);
                        yield file;
                    }
                    case FILE -> form.encoded(resized(file));
                    case PIXELS ->
                        new GenericInternalRow(new Object[] {resized(file).bytes()});
                };
            } catch (BrokenImageException e) {
                throw new UnfitValueException(Reason.IMAGE_BROKEN, "an image " + e.getMessage());
            }
        }

        private RgbPixels resized(byte[] file) throws BrokenImageException {
            return filter.of(decoded(file), width, height);
        }

        private RgbPixels decoded(byte[] file) throws BrokenImageException {
            try (ImageFile image = ImageFile.open(file)) {
                if (image.pixels() > ImageHeader.MAX_PIXELS) {
                    throw new UnfitValueException(
                            Reason.IMAGE_TOO_LARGE,
                            "an image of " + image.width() + " x " + image.height() + " pixels, more than "
                                    + ImageHeader.MAX_PIXELS);
                }
                return image.rgb(decoding);
            }
        }
    }
}

package io.rankfeed.job;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.failure.ConfigException;
import java.util.Optional;

/**
 * The packing of a list column into a tensor.
 *
 * @param dtype element type, or {@code auto} for the narrowest that loses nothing; without it the column's own
 * @param shape of one row; without it {@code [null]}, any length
 */
public record TensorSection(Optional<String> dtype, Optional<Shape> shape) {
    private static final String AUTO = "auto";

    public TensorSection {
        boolean isBytes;
        try {
            isBytes = type(dtype).filter(DType::isBytes).isPresent();
        } catch (ConfigException e) {
            throw new BadValue("dtype", String.valueOf(e.getMessage()));
        }
        if (isBytes) {
            throw new BadValue("dtype", "a tensor has numbers; columns and lists of string or binary need no entry");
        }
    }

    /** The element type that is written. */
    public Optional<DType> type() {
        return type(dtype);
    }

    /** Whether the values are to decide it. */
    public boolean isAuto() {
        return dtype.filter(AUTO::equals).isPresent();
    }

    /** Returns this section with the element type that the values decided. */
    public TensorSection as(DType decided) {
        return new TensorSection(Optional.of(decided.id()), shape);
    }

    private static Optional<DType> type(Optional<String> written) {
        return written.filter(word -> !word.equals(AUTO)).map(DType::fromId);
    }
}

package io.rankfeed.console;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --progress} of every command that takes long. */
public final class ProgressOption {
    @Option(
            names = "--progress",
            paramLabel = "auto|plain|none",
            description =
                    "Show progress as a bar on a terminal and as lines elsewhere (auto), as lines (plain), or not at all"
                            + " (none). Default: auto.",
            converter = StyleConverter.class)
    private ProgressStyle style = ProgressStyle.AUTO;

    public ProgressStyle style() {
        return style;
    }

    /** Converts a word in lower case, as the help has it. */
    static final class StyleConverter implements ITypeConverter<ProgressStyle> {
        @Override
        public ProgressStyle convert(String value) {
            for (ProgressStyle style : ProgressStyle.values()) {
                if (style.name().toLowerCase(Locale.ROOT).equals(value)) {
                    return style;
                }
            }
            throw new TypeConversionException("'" + value + "' is not auto, plain or none");
        }
    }
}

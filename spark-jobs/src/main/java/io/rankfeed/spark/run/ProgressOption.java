package io.rankfeed.spark.run;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a command tells what it does, on stderr. */
public final class ProgressOption {
    @Option(
            names = "--progress",
            paramLabel = "auto|plain|none",
            description = "A bar on a terminal and lines elsewhere (auto), lines (plain), or nothing. Default: auto.",
            converter = StyleConverter.class)
    private ConsoleProgress.Style style = ConsoleProgress.Style.AUTO;

    /** What the user is told. */
    public ConsoleProgress console() {
        return new ConsoleProgress(System.err, style);
    }

    /** Lower case, as users write it. */
    static final class StyleConverter implements ITypeConverter<ConsoleProgress.Style> {
        @Override
        public ConsoleProgress.Style convert(String value) {
            for (ConsoleProgress.Style style : ConsoleProgress.Style.values()) {
                if (style.name().toLowerCase(Locale.ROOT).equals(value)) {
                    return style;
                }
            }
            throw new TypeConversionException("'" + value + "' is not auto, plain or none");
        }
    }
}

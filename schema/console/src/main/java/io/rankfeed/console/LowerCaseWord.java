package io.rankfeed.console;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a constant's name in lower case, as the help has it. */
public abstract class LowerCaseWord<E extends Enum<E>> implements ITypeConverter<E> {
    private final E[] constants;

    protected LowerCaseWord(E[] constants) {
        this.constants = constants;
    }

    @Override
    public E convert(String value) {
        return Stream.of(constants)
                .filter(constant -> word(constant).equals(value))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + value + "' is not "
                        + Stream.of(constants)
                                .map(LowerCaseWord::word)
                                .collect(Collectors.joining(", "))
                                .replaceFirst(", (\\w+)$", " or $1")));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

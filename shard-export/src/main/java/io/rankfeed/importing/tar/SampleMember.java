package io.rankfeed.importing.tar;

import io.rankfeed.importing.tar.TarReader.Member;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A member of a WebDataset: adjacent members of one key are a sample, under the rules of the library's {@code tariterators}.
 *
 * @param key the path up to the first dot of the file's name
 * @param extension what follows this dot, in lower case
 */
public record SampleMember(String key, String extension, Member member) {
    /** Key and extension, as the library's own expression divides them. */
    private static final Pattern NAME = Pattern.compile("^((?:.*/|)[^.]+)[.]([^/]*)$", Pattern.UNIX_LINES);

    private static final Pattern META = Pattern.compile("^__[^/]*__($|/)", Pattern.UNIX_LINES);

    /** Extensions whose content the library decodes to text, or to an integer. */
    private static final Set<String> TEXTS = Set.of("txt", "text", "transcript", "json", "jsn");

    private static final Set<String> INTEGERS = Set.of("cls", "cls2", "class", "count", "index", "inx", "id");

    /** Returns a member that the library reads; empty for others. */
    public static Optional<SampleMember> of(Member member) {
        Matcher name = NAME.matcher(member.name());
        boolean isRead = member.isRegular() && !META.matcher(member.name()).find() && name.find();
        return isRead
                ? Optional.of(new SampleMember(name.group(1), name.group(2).toLowerCase(Locale.ROOT), member))
                : Optional.empty();
    }

    /** The column of an extension: letters, digits and {@code _}. */
    public static String column(String extension) {
        String name = extension.replaceAll("[^A-Za-z0-9_]", "_");
        return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
    }

    public static boolean isText(String extension) {
        return TEXTS.contains(extension);
    }

    public static boolean isInteger(String extension) {
        return INTEGERS.contains(extension);
    }
}

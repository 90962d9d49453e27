package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureJson;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.store.Store;
import java.util.Optional;
import java.util.Set;

/**
 * A mixture by the path of its folder, of its file, or of its name: {@code ROOT/mixtures/ID}, {@code ROOT/mixtures/NAME}. Its members'
 * versions are below the same root.
 *
 * @param folder of the mixture, absolute, or its address
 */
public record MixtureName(String folder, Mixture mixture) {
    public static final IdFiles<MixtureName> FILES = new IdFiles<>(
            "mixtures",
            Mixture.FILE_NAME,
            "mixture",
            "mixture",
            "",
            (bytes, file) -> new MixtureName(Store.folder(file), MixtureJson.parse(bytes, file)),
            name -> name.mixture().id());

    private static final String VERSIONS = "/versions/";

    /** Whether a path names a mixture: it is there, and is the folder or the file of one, or the file of a name. */
    public static boolean isAt(String path, Store store) {
        String trimmed = IdFiles.withoutSlashes(path);
        String file = Store.name(trimmed);
        return file.equals(Mixture.FILE_NAME)
                || store.find(trimmed + "/" + Mixture.FILE_NAME).isPresent()
                || (IdFiles.isNameOrId(IdFiles.withoutSuffix(file))
                        && inFolder(trimmed, store).equals(FILES.folder()));
    }

    /** The name of the folder that a path is in; a name alone is in the working directory. */
    private static String inFolder(String path, Store store) {
        String name = Store.name(Store.folder(path));
        return Set.of("", ".", "..").contains(name)
                ? store.find(path)
                        .or(() -> store.find(IdFiles.file(path)))
                        .map(found -> Store.name(Store.folder(found.path())))
                        .orElse(name)
                : name;
    }

    /**
     * Reads a mixture.
     *
     * @param path of its folder, of its file, or of the file of its name
     * @throws ConfigException if nothing is there
     * @throws CorruptDataException if it is damaged
     */
    public static MixtureName at(String path, Store store) {
        return FILES.at(path, store);
    }

    /**
     * @param words the mixture as the user named it
     * @throws ConfigException if the user names a plan over it
     */
    public static void refusePlan(Optional<String> plan, String words) {
        if (plan.isPresent()) {
            throw new ConfigException("plan " + plan.get() + ": " + words
                    + " is a mixture, which is a plan itself; leave the plan out, or plan another mixture");
        }
    }

    /** The file of the mixture. */
    public String file() {
        return folder + "/" + Mixture.FILE_NAME;
    }

    /** Returns the error of a member whose version cannot be opened where the mixture finds it. */
    public ConfigException missing(Member member, ConfigException cause) {
        Member.Source source = member.source().orElseThrow();
        return new ConfigException(
                "mixture " + mixture.id() + ", member '" + member.name() + "': version " + source.version()
                        + " of dataset '" + source.dataset() + "' is not below " + root() + " (" + cause.getMessage()
                        + "); copy the version to " + version(source),
                cause);
    }

    /** The folder that has the datasets of the members, and {@code mixtures}. */
    public String root() {
        return Store.folder(Store.folder(folder));
    }

    /** The folder of a member's version. */
    public String version(Member.Source source) {
        return version(root(), source);
    }

    /** The folder of a member's version below a root. */
    public static String version(String root, Member.Source source) {
        return version(root, source.dataset(), source.version());
    }

    /** The folder of a version below a root. */
    public static String version(String root, String dataset, String id) {
        return root + "/" + dataset + VERSIONS + id;
    }

    /** The folder that has the dataset of a version, by the version's folder. */
    public static String root(String version) {
        return Store.folder(Store.folder(Store.folder(version)));
    }
}

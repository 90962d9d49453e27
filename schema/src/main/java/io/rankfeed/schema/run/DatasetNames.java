package io.rankfeed.schema.run;

import java.util.Optional;
import java.util.regex.Pattern;

/** The names that a new dataset can have: each is that of a folder below the root. */
public final class DatasetNames {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    private DatasetNames() {}

    /** Says why a dataset cannot have a name, in words that follow the name; empty if it can. */
    public static Optional<String> fault(String name) {
        if (!FORM.matcher(name).matches()) {
            return Optional.of("must match " + FORM.pattern());
        }
        return name.equals(MixtureName.FILES.folder())
                ? Optional.of("is the folder of mixtures below the root; choose another name")
                : Optional.empty();
    }
}

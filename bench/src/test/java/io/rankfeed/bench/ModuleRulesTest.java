package io.rankfeed.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules that need the classes of all modules: cycles, calls, and what only the engine may use. Which packages a source may name is in
 * {@code VisibilityTest} of the first module. A rule whose module has no class fails.
 */
class ModuleRulesTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.rankfeed");

    @ParameterizedTest
    @ValueSource(strings = {"schema", "text", "sampling", "export", "spark", "feeder"})
    void packages_dependencies_haveNoCycles(String module) {
        slices().matching("io.rankfeed." + module + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(OURS);
    }

    /** Row classes are part of what Spark's connector API passes on; plans, operators and sessions are not. */
    @Test
    void sparkInternals_uses_onlyInEngine() {
        DescribedPredicate<JavaClass> rows = DescribedPredicate.describe("is a row class", type -> type.getName()
                .matches(".*\\.(\\w*Row|\\w*ArrayData|UnsafeRowWriter|UnsafeProjection|SpecializedGetters)\\$?"));
        noClasses()
                .that()
                .resideOutsideOfPackage(packagesOf("spark.engine"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "org.apache.spark.sql.catalyst..",
                                "org.apache.spark.sql.execution..",
                                "org.apache.spark.sql.classic..",
                                "org.apache.spark.sql.internal..")
                        .and(DescribedPredicate.not(rows)))
                .check(OURS);
    }

    @Test
    void sampling_uses_noInputOrOutput() {
        DescribedPredicate<JavaClass> impure = resideInAnyPackage(
                        "java.io..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net..",
                        "java.time..",
                        "java.util.random..")
                .or(DescribedPredicate.describe("is a source of chance, time or threads", SamplingBans::contains));
        noClasses()
                .that()
                .resideInAPackage(packagesOf("sampling"))
                .should()
                .dependOnClassesThat(impure)
                .because("an order is a function of plan, seed and step")
                .check(OURS);
        noClasses()
                .that()
                .resideInAPackage(packagesOf("sampling"))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .check(OURS);
    }

    private static String packagesOf(String module) {
        return "io.rankfeed." + module + "..";
    }

    private static final class SamplingBans {
        static boolean contains(JavaClass type) {
            return type.isAssignableTo(java.util.Random.class)
                    || type.isEquivalentTo(java.util.SplittableRandom.class)
                    || type.isAssignableTo(Thread.class)
                    || type.isEquivalentTo(java.util.UUID.class);
        }
    }
}
